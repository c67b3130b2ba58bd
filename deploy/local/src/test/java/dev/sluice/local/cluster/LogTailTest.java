package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {

  @TempDir Path folder;

  @Test
  void isTheLastLines() throws IOException {
    Path log = Files.writeString(folder.resolve("a.log"), "one\ntwo\nthree\n");

    assertThat(LogTail.of(log, 2)).isEqualTo("two\nthree");
  }

  @Test
  void isQuickOnALongLog() throws IOException {
    Path log = Files.writeString(folder.resolve("a.log"), "x".repeat(100) + "\n".repeat(50_000));

    assertThat(LogTail.of(log, 3)).isBlank();
  }

  @Test
  void saysWhenThereIsNoLog() {
    assertThat(LogTail.of(folder.resolve("none.log"), 2)).startsWith("(cannot be read: ");
  }
}
