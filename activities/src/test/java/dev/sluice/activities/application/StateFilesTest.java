package dev.sluice.activities.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.application.StateFiles.Stored;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.model.StateRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateFilesTest {

  private static final String JOB = "ab12cd34ab12cd34ab12cd34ab12cd34";

  @TempDir Path root;
  private String checkpoints = "";
  private String savepoints = "";

  @BeforeEach
  void directories() throws IOException {
    checkpoints = "file://" + Files.createDirectory(root.resolve("checkpoints"));
    savepoints = "file://" + Files.createDirectory(root.resolve("savepoints"));
  }

  private StateFiles files() {
    FlinkConfiguration running =
        FlinkConfiguration.of(
            Map.of("state.checkpoints.dir", checkpoints, "state.savepoints.dir", savepoints));
    return new StateFiles(JOB, running, FlinkConfiguration.empty(), Runnable::run);
  }

  private Optional<List<String>> savepointsSince(long sinceMs) {
    return files().savepointsSince(sinceMs);
  }

  private Stored newest() {
    return files().newest();
  }

  @Test
  void theCompleteSavepointsOfTheJobSinceThenAreCandidates() throws IOException {
    Files.createDirectory(root.resolve("savepoints/savepoint-ab12cd-4"));
    complete("savepoints/savepoint-ffffff-3", 3_000);
    complete("savepoints/savepoint-ab12cd-1", 1_999);
    Path since = complete("savepoints/savepoint-ab12cd-2", 2_000);

    assertThat(savepointsSince(2_000)).contains(List.of("file:" + since));
  }

  @Test
  void aPathWithoutASchemeIsALocalOne() throws IOException {
    complete("savepoints/savepoint-ab12cd-1", 100);
    savepoints = root.resolve("savepoints").toString();

    assertThat(savepointsSince(0).orElseThrow()).hasSize(1);
  }

  @Test
  void aDirectoryWithoutSavepointsIsKnownToHaveNone() {
    assertThat(savepointsSince(0)).contains(List.of());
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3://bucket/savepoints", "file:/does/not/exist", "::not a path::"})
  void whatCannotBeReadFromHereIsNotCalledEmpty(String elsewhere) {
    savepoints = elsewhere;
    checkpoints = elsewhere;

    assertThat(savepointsSince(0)).isEmpty();
    assertThat(newest()).isInstanceOf(Stored.Unreadable.class);
  }

  @Test
  void theCompleteCheckpointWithTheHighestNumberIsTheNewest() throws IOException {
    complete("savepoints/savepoint-ab12cd-1a2b", 5);
    complete(chk(9), 10);
    Path newest = complete(chk(10), 20);
    Files.createDirectory(root.resolve(chk(11)));

    assertThat(newest())
        .isEqualTo(new Stored.Newest(new StateRef.Checkpoint("file:" + newest), 10, 20));
  }

  @Test
  void aJobWithoutACheckpointHasNone() {
    assertThat(newest()).isInstanceOf(Stored.Nothing.class);
  }

  @Test
  void aJobThatRestartedInBetweenLeavesDoubt() throws IOException {
    complete(chk(9), 10);
    complete(chk(1), 20);

    assertThat(newest()).isInstanceOf(Stored.Doubtful.class);
  }

  @Test
  void aSavepointSinceThenLeavesDoubt() throws IOException {
    complete(chk(9), 10);
    complete("savepoints/savepoint-ab12cd-1a2b", 20);

    assertThat(newest()).isInstanceOf(Stored.Doubtful.class);
  }

  /** Flink makes the directory with the first savepoint. */
  @Test
  void aDirectoryForSavepointsThatWasNeverMadeLeavesNone() throws IOException {
    complete(chk(9), 10);
    Files.delete(root.resolve("savepoints"));

    assertThat(newest()).isInstanceOf(Stored.Newest.class);
  }

  @Test
  void aDirectoryForSavepointsThatMayNotBeMountedLeavesDoubt() throws IOException {
    complete(chk(9), 10);
    savepoints = "/not-mounted/savepoints";

    assertThat(newest()).isInstanceOf(Stored.Doubtful.class);
  }

  private static String chk(int id) {
    return "checkpoints/" + JOB + "/chk-" + id;
  }

  private Path complete(String name, long atMs) throws IOException {
    Path folder = Files.createDirectories(root.resolve(name));
    Path metadata = Files.createFile(folder.resolve("_metadata"));
    Files.setLastModifiedTime(metadata, FileTime.fromMillis(atMs));
    return folder;
  }
}
