package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.snapshot.SnapshotActivities.Verified;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether a savepoint is there of which the spec says that it was taken before. */
class ExistingSavepointTest {

  @TempDir private Path storage;

  private Path savepoint(String name) throws IOException {
    Path made = Files.createDirectories(storage.resolve(name));
    Files.createFile(made.resolve("_metadata"));
    return made;
  }

  private static Verified at(Path path) {
    return ExistingSavepoint.at(path.toString());
  }

  @Test
  void itIsKnownByItsMetadata() throws IOException {
    Path made = savepoint("savepoint-1");

    assertThat(at(made).exists()).isTrue();
    assertThat(ExistingSavepoint.at(made.toUri().toString()).exists()).isTrue();
    assertThat(at(made).how()).contains("it has its _metadata");
  }

  @Test
  void aDirectoryWithoutMetadataIsNone() throws IOException {
    Path left = Files.createDirectories(storage.resolve("savepoint-1"));

    assertThat(at(left)).isEqualTo(new Verified(left.toString(), false, noMetadata(left)));
  }

  private static String noMetadata(Path path) {
    return "There is no savepoint at " + path + ": it has no _metadata";
  }

  /** Flink takes it, too. */
  @Test
  void thePathOfItsMetadataIsAsGood() throws IOException {
    Path made = savepoint("savepoint-1");

    assertThat(at(made.resolve("_metadata")).exists()).isTrue();
    assertThat(at(made.resolve("_metadata")).how()).doesNotContain("not verified");
    Files.delete(made.resolve("_metadata"));

    assertThat(at(made.resolve("_metadata")).exists()).isFalse();
  }

  @Test
  void whatIsMissingBesideAnotherSavepointIsNotThere() throws IOException {
    Path other = savepoint("savepoint-1");
    Path typo = other.resolveSibling("savepoint-1x");

    assertThat(at(typo))
        .isEqualTo(
            new Verified(
                typo.toString(),
                false,
                "There is no savepoint at "
                    + typo
                    + ": this worker sees "
                    + storage
                    + ", where savepoint-1 is, and it is not there"));
    assertThat(at(typo.resolve("_metadata")).exists()).isFalse();
  }

  /** A directory of that name is in many an image, without the storage that Flink mounts there. */
  @Test
  void aDirectoryWithoutASavepointProvesNothing() throws IOException {
    Files.createDirectories(storage.resolve("something-else"));

    assertThat(at(storage.resolve("savepoint-1")).exists()).isTrue();
    assertThat(at(storage.resolve("savepoint-1")).how()).contains("not verified");
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3://bucket/savepoint-1", "hdfs:///savepoint-1", "/", "not a path"})
  void whatIsNotSeenFromHereIsBelieved(String path) {
    Verified verified = ExistingSavepoint.at(path);

    assertThat(verified.exists()).isEqualTo(!path.equals("/"));
    assertThat(verified.path()).isEqualTo(path);
  }
}
