package dev.sluice.local.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChecksumTest {

  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  private static final String OTHER = "0".repeat(64);

  @Test
  void hashesAFile(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "abc");

    assertThat(Checksum.of(file)).isEqualTo(ABC);
  }

  @Test
  void takesABareHash() {
    assertThat(Checksum.findIn(ABC + "\n", "kubectl")).hasValue(ABC);
  }

  @Test
  void takesTheLineOfTheFile() {
    String published = OTHER + "  other.tar.gz\n" + ABC + "  etcd.tar.gz\n";

    assertThat(Checksum.findIn(published, "etcd.tar.gz")).hasValue(ABC);
  }

  @Test
  void takesALineInBinaryModeAndUpperCase() {
    assertThat(Checksum.findIn(ABC.toUpperCase(Locale.ROOT) + " *etcd.tar.gz", "etcd.tar.gz"))
        .hasValue(ABC);
  }

  @Test
  void ignoresLinesOfOtherFiles() {
    assertThat(Checksum.findIn(OTHER + "  other.tar.gz", "etcd.tar.gz")).isEmpty();
  }

  @Test
  void ignoresWhatIsNoHash() {
    assertThat(Checksum.findIn("<html>Not found</html>", "etcd.tar.gz")).isEmpty();
  }
}
