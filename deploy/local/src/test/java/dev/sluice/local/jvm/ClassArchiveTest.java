package dev.sluice.local.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassArchiveTest {

  @TempDir Path home;
  private Path folder;
  private ClassArchive archive;

  @BeforeEach
  void folder() throws IOException {
    folder = Files.createDirectories(home.resolve("ann's programs/worker-f00d/classes"));
    archive = new ClassArchive(folder, home + "/*");
  }

  @Test
  void isPreparedByWritingDownWhatIsLoaded() throws Exception {
    start();

    assertThat(folder.resolve("seen")).content().contains("java/lang/Object");
  }

  @Test
  void isUsedFromTheNextTimeOn() throws Exception {
    Files.writeString(folder.resolve("seen-1"), "java/lang/Object\ndev/sluice/torn");
    Files.writeString(folder.resolve("seen-2"), "java/lang/Object\njava/util/BitSet\ndev/sl");

    archive.beginMaking(Map.of());

    // at the lowest priority: where others are busy it takes long
    await().atMost(Duration.ofMinutes(10)).until(archive::isMade);
    await().atMost(Duration.ofMinutes(1)).until(() -> !Files.exists(folder.resolve("seen-1")));
    assertThat(folder.resolve("list")).hasContent("java/lang/Object\njava/util/BitSet");
    assertThat(start()).contains("java.lang.Object source: shared objects file");
    assertThat(folder.resolve("seen")).doesNotExist();
  }

  @Test
  void doesNotChangeTheCommandLineOfItsProgram() throws IOException {
    List<String> before = archive.command();
    Files.writeString(archive.file(), "");

    assertThat(archive.isMade()).isTrue();
    assertThat(archive.command()).isEqualTo(before);
  }

  @Test
  void isNotMadeOfAProgramThatNeverRan() throws IOException {
    archive.beginMaking(Map.of());

    assertThat(folder).isEmptyDirectory();
  }

  /** Runs a program that ends at once; returns where its classes came from. */
  private String start() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(archive.command());
    command.addAll(List.of("-Xlog:class+load", "-version"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
