package dev.sluice.activities.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArtifactFolderTest {

  @TempDir Path root;

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(root)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void whatAKilledWorkerLeftIsDeletedByTheNext() throws IOException {
    long own = ProcessHandle.current().pid();
    Files.createFile(root.resolve("4294967295-a-b.jar"));
    Files.createFile(root.resolve("somebodys.jar"));
    Path earlier = Files.createFile(root.resolve(own + "-a-b.jar"));
    Files.setLastModifiedTime(earlier, FileTime.fromMillis(0));

    try (ArtifactFolder folder = ArtifactFolder.open(root)) {
      assertThat(names()).containsExactly("somebodys.jar");
      assertThat(folder.newFile()).exists();
    }
  }

  @Test
  void whatAWorkerThatLivesHasStays() throws IOException {
    try (ArtifactFolder living = ArtifactFolder.open(root)) {
      Path file = living.newFile();

      try (ArtifactFolder next = ArtifactFolder.open(root)) {
        assertThat(next.newFile()).exists();
      }
      assertThat(file).exists();
    }
    assertThat(names()).isEmpty();
  }

  /** As a volume may be mounted. */
  @Test
  void theFolderMayBeALinkToOne() throws IOException {
    Path link = Files.createSymbolicLink(root.resolve("link"), root);

    try (ArtifactFolder folder = ArtifactFolder.open(link)) {
      assertThat(folder.newFile()).exists();
    }
  }

  @Test
  void nobodyElseMayReadAFile() throws IOException {
    try (ArtifactFolder folder = ArtifactFolder.open(root)) {
      assertThat(Files.getPosixFilePermissions(folder.newFile()))
          .containsExactlyInAnyOrder(
              java.nio.file.attribute.PosixFilePermission.OWNER_READ,
              java.nio.file.attribute.PosixFilePermission.OWNER_WRITE);
    }
  }
}
