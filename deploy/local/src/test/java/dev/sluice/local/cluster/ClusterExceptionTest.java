package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ClusterExceptionTest {

  private static final Path HOME = Path.of("/home/ann/cluster");

  @Test
  void aFullDiskIsCalledThatAndWhatToDoAboutIt() {
    assertThat(said(new FileSystemException("/a", "/b", "No space left on device")))
        .isEqualTo(
            "The disk of /home/ann/cluster is full. Free some space, or put the cluster elsewhere"
                + " with SLUICE_HOME.");
  }

  @Test
  void aFolderThatMayNotBeWrittenIsNotAFullDisk() {
    assertThat(said(new AccessDeniedException("/home/ann")))
        .startsWith("/home/ann/cluster cannot be used: you may not write /home/ann.")
        .contains("SLUICE_HOME");
  }

  @Test
  void aFolderThatCannotBeIsNamed() {
    assertThat(said(new NoSuchFileException("/proc/x.lock")))
        .contains("/proc/x.lock cannot be made");
  }

  private static String said(IOException problem) {
    return String.valueOf(ClusterException.unusable(HOME, problem).getMessage());
  }
}
