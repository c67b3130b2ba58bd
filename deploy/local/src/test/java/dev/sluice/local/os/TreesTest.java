package dev.sluice.local.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreesTest {
  @TempDir Path dir;

  @Test
  void whatIsNoFolderHoldsNothing() throws IOException {
    assertThat(Trees.list(dir.resolve("none"), "*")).isEmpty();
    assertThat(Trees.list(Files.createFile(dir.resolve("file")), "*")).isEmpty();
  }

  @Test
  void aFileThatCannotBeWrittenLeavesNothingBehind() throws IOException {
    Path inTheWay = Files.createDirectories(dir.resolve("file/child")).getParent();

    assertThatThrownBy(() -> Trees.write(inTheWay, new byte[1], 0600))
        .isInstanceOf(IOException.class);

    assertThat(dir.toFile().list()).containsExactly("file");
  }
}
