package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassArchiveTest {

  @TempDir Path home;
  private Path folder;
  private ClassArchive archive;

  @BeforeEach
  void stage() {
    Path program = home.resolve("ann's programs/worker-f00d");
    folder = program.resolve("classes");
    archive = new ClassArchive(home, program);
  }

  @Test
  void isPreparedByWritingDownWhatIsLoaded() throws IOException {
    archive.choose();

    assertThat(arguments())
        .isEqualToIgnoringNewLines("\"-XX:DumpLoadedClassList=" + folder.resolve("seen") + "\"");
  }

  @Test
  void isUsedFromTheNextTimeOn() throws IOException {
    archive.choose();
    Path made = make();

    archive.choose();

    assertThat(arguments().lines())
        .containsExactly("-Xshare:auto", "\"-XX:SharedArchiveFile=" + made + "\"");
  }

  @Test
  void isUsedByAProgramThatStartsAgainByItself() throws IOException {
    archive.choose();
    Files.writeString(folder.resolve("seen"), "java/lang/Object\n");

    archive.beginMaking();

    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(arguments()).startsWith("-Xshare:auto"));
    assertThat(archive.isMade()).isTrue();
  }

  @Test
  void doesNotChangeTheCommandLineOfItsProgram() throws IOException {
    archive.choose();
    String before = archive.argument();
    make();

    archive.choose();

    assertThat(archive.argument()).isEqualTo(before).startsWith("@");
  }

  @Test
  void isNotMadeOfAProgramThatNeverRan() throws IOException {
    archive.choose();

    archive.beginMaking();

    assertThat(folder.resolve("list")).doesNotExist();
  }

  @Test
  void isMadeWithoutTheLineThatIsBeingWritten() {
    assertThat(ClassArchive.wholeLines("java/lang/Object\ndev/sluice/worker/Wor"))
        .containsExactly("java/lang/Object");
    assertThat(ClassArchive.wholeLines("java/lang/Obj")).isEmpty();
  }

  private Path make() throws IOException {
    Path made = folder.resolve(System.getProperty("java.vm.version") + ".jsa");
    return Files.writeString(made, "");
  }

  private String arguments() throws IOException {
    return Files.readString(folder.resolve("arguments"));
  }
}
