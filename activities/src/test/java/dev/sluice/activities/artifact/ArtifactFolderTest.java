package dev.sluice.activities.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
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
    // its lock went with it
    String killed = UUID.randomUUID().toString();
    Files.createFile(root.resolve(killed + ".lock"));
    Files.writeString(Files.createDirectory(root.resolve(killed)).resolve("a.jar"), "half");

    try (ArtifactFolder folder = ArtifactFolder.open(root)) {
      assertThat(names()).doesNotContain(killed, killed + ".lock");
      assertThat(folder.newFile()).exists();
    }
  }

  @Test
  void whatAWorkerThatLivesHasStays() throws IOException {
    try (ArtifactFolder living = ArtifactFolder.open(root)) {
      Path file = living.newFile();

      try (ArtifactFolder next = ArtifactFolder.open(root)) {
        assertThat(file).exists();
        assertThat(next.newFile().getParent()).isNotEqualTo(file.getParent());
      }
    }
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
  void anEndLeavesNothing() throws IOException {
    try (ArtifactFolder folder = ArtifactFolder.open(root)) {
      folder.newFile();
    }

    assertThat(names()).containsExactly("all.lock");
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
