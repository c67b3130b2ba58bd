package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.FlinkJobState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Savepoints, stops, checkpoints and disposals of a real Flink. */
@OnFlink(FlinkVersion.V2_2)
@Execution(ExecutionMode.CONCURRENT)
class SnapshotsIT {

  private static final String MISSING = "ffffffffffffffffffffffffffffff00";

  private final FlinkCluster cluster;
  private final FlinkRest rest;
  private final Endpoint at;
  private final String trigger = SampleJob.newId();
  private final Path target;

  SnapshotsIT(FlinkCluster cluster) {
    this.cluster = cluster;
    this.rest = cluster.rest();
    this.at = cluster.endpoint();
    this.target = cluster.folder("savepoints-" + trigger);
  }

  private void savepoint(SampleJob job) {
    rest.triggerSavepoint(
        at, job.id(), trigger, target.toUri().toString(), SavepointFormat.CANONICAL);
  }

  private void stop(SampleJob job) {
    rest.stopWithSavepoint(
        at, job.id(), trigger, target.toUri().toString(), false, SavepointFormat.NATIVE);
  }

  private SavepointOperation result(String jobId) {
    return await()
        .until(
            () -> rest.savepointStatus(at, jobId, trigger),
            it -> !(it instanceof SavepointOperation.InProgress));
  }

  private String location(SampleJob job) {
    SavepointOperation result = result(job.id());
    assertThat(result).isInstanceOf(SavepointOperation.Completed.class);
    return ((SavepointOperation.Completed) result).location();
  }

  private List<Path> savepointsTaken() throws IOException {
    try (Stream<Path> all = Files.list(target)) {
      return all.toList();
    }
  }

  @Test
  void aSavepointGoesWhereItIsToldAndTheJobGoesOn() throws IOException {
    SampleJob job = SampleJob.submit(cluster).running();

    savepoint(job);

    assertThat(location(job)).startsWith("file:" + target + "/savepoint-");
    assertThat(savepointsTaken()).hasSize(1);
    assertThat(job.overview().isUp()).isTrue();
    rest.cancel(at, job.id());
  }

  @Test
  void theSameTriggerIdTakesOneSavepointHoweverOftenItIsSent() throws IOException {
    Path slow = FlagFile.in(cluster, "slow");
    SampleJob job =
        SampleJob.submit(
                cluster, "--slow-snapshot", "-1", "--slow-snapshot-while-file", slow.toString())
            .running();
    FlagFile.raise(slow);

    savepoint(job);
    savepoint(job);
    assertThat(rest.savepointStatus(at, job.id(), trigger))
        .isEqualTo(new SavepointOperation.InProgress());
    FlagFile.lower(slow);
    String first = location(job);
    savepoint(job);

    assertThat(location(job)).isEqualTo(first);
    assertThat(savepointsTaken()).hasSize(1);
    rest.cancel(at, job.id());
  }

  /** By these words an attempt that an operation ends is told from one that fails by itself. */
  @Test
  void aSavepointWhoseJobIsCancelledSaysThatItsCoordinatorEnds() throws IOException {
    Path slow = FlagFile.in(cluster, "slow");
    SampleJob job =
        SampleJob.submit(
                cluster, "--slow-snapshot", "-1", "--slow-snapshot-while-file", slow.toString())
            .running();
    FlagFile.raise(slow);
    savepoint(job);
    job.acknowledging();

    rest.cancel(at, job.id());

    SavepointOperation result = result(job.id());
    FlagFile.lower(slow);
    assertThat(result).isInstanceOf(SavepointOperation.Failed.class);
    assertThat(((SavepointOperation.Failed) result).cause().summary())
        .containsAnyOf("Checkpoint Coordinator is suspending", "CheckpointCoordinator shutdown");
  }

  @Test
  void aStopTakesASavepointAndEndsTheJob() throws IOException {
    SampleJob job = SampleJob.submit(cluster).running();

    stop(job);

    assertThat(location(job)).startsWith("file:" + target + "/savepoint-");
    job.in(FlinkJobState.FINISHED);
    assertThat(savepointsTaken()).hasSize(1);
    rest.cancel(at, job.id());
  }

  @Test
  void aJobSaysFromWhichSavepointItWasRestored() {
    SampleJob first = SampleJob.submit(cluster).running();
    stop(first);
    String location = location(first);

    SampleJob second = SampleJob.submit(cluster, location, Map.of()).running();
    await()
        .until(() -> rest.checkpoints(at, second.id()).orElseThrow().latestRestored().isPresent());

    Checkpoints.Restored restored =
        rest.checkpoints(at, second.id()).orElseThrow().latestRestored().orElseThrow();
    assertThat(restored.externalPath()).contains(location);
    assertThat(restored.savepoint()).isTrue();
    rest.cancel(at, second.id());
  }

  @Test
  void aSavepointThatCannotBeWrittenFailsWithTheRootCauseAndLeavesTheJobAlone() {
    SampleJob job = SampleJob.submit(cluster).running();

    rest.triggerSavepoint(
        at, job.id(), trigger, "s3://AKIA:hunter2@bucket/x", SavepointFormat.CANONICAL);

    assertThat(result(job.id()))
        .isInstanceOfSatisfying(
            SavepointOperation.Failed.class,
            failed ->
                assertThat(failed.cause().summary())
                    .startsWith("CheckpointException: An Exception occurred while triggering")
                    .contains("Could not find a file system implementation for scheme 's3'")
                    .doesNotContain("hunter2"));
    assertThat(job.overview().isUp()).isTrue();
    rest.cancel(at, job.id());
  }

  @Test
  void aSavepointOfAJobFlinkDoesNotKnowIsAcceptedAndFails() {
    savepoint(new SampleJob(cluster, MISSING));

    assertThat(result(MISSING))
        .isInstanceOfSatisfying(
            SavepointOperation.Failed.class,
            failed -> assertThat(failed.cause().type()).isEqualTo("FlinkJobNotFoundException"));
  }

  @Test
  void aTriggeredCheckpointIsFoundUnderItsId() {
    SampleJob job = SampleJob.submit(cluster).running();

    rest.triggerCheckpoint(at, job.id(), trigger, CheckpointType.FULL);
    CheckpointOperation result =
        await()
            .until(
                () -> rest.checkpointStatus(at, job.id(), trigger),
                it -> !(it instanceof CheckpointOperation.InProgress));

    assertThat(result).isInstanceOf(CheckpointOperation.Completed.class);
    long id = ((CheckpointOperation.Completed) result).checkpointId();
    await()
        .untilAsserted(
            () -> {
              Checkpoints checkpoints = rest.checkpoints(at, job.id()).orElseThrow();
              assertThat(checkpoints.latestCompleted())
                  .hasValueSatisfying(
                      latest -> {
                        assertThat(latest.id()).isEqualTo(id);
                        assertThat(latest.externalPath().orElseThrow()).endsWith("/chk-" + id);
                      });
              assertThat(checkpoints.counts().completed()).isEqualTo(1);
              // by which a snapshot finds its path, which is not the newest one's then
              assertThat(rest.completedCheckpoint(at, job.id(), id))
                  .flatMap(Checkpoints.Completed::externalPath)
                  .hasValueSatisfying(path -> assertThat(path).endsWith("/chk-" + id));
            });
    assertThat(rest.completedCheckpoint(at, job.id(), id + 1)).isEmpty();
    rest.cancel(at, job.id());
  }

  @Test
  void whatWasNeverTriggeredIsUnknown() {
    assertThat(rest.savepointStatus(at, MISSING, trigger))
        .isEqualTo(new SavepointOperation.Unknown());
    assertThat(rest.checkpointStatus(at, MISSING, trigger))
        .isEqualTo(new CheckpointOperation.Unknown());
    assertThat(rest.disposalStatus(at, trigger)).isEqualTo(new DisposalOperation.Unknown());
  }

  @Test
  void aDisposalDeletesTheFilesAndASecondOneFindsNone() throws IOException {
    SampleJob job = SampleJob.submit(cluster).running();
    stop(job);
    String location = location(job);

    assertThat(dispose(location)).isEqualTo(new DisposalOperation.Completed());
    assertThat(savepointsTaken()).isEmpty();
    assertThat(dispose(location))
        .isInstanceOfSatisfying(
            DisposalOperation.Failed.class,
            failed ->
                assertThat(failed.left(location))
                    .as(failed.cause().summary())
                    .isEqualTo(DisposalOperation.Left.NOTHING));
  }

  @Test
  void aDisposalOfWhatIsLeftOfADirectorySaysSo() throws IOException {
    Path left = Files.createDirectories(target.resolve("savepoint-left"));
    Files.createFile(left.resolve("state"));

    assertThat(dispose(left.toUri().toString()))
        .isInstanceOfSatisfying(
            DisposalOperation.Failed.class,
            failed ->
                assertThat(failed.left(left.toUri().toString()))
                    .as(failed.cause().summary())
                    .isEqualTo(DisposalOperation.Left.DIRECTORY));
    assertThat(left.resolve("state")).exists();
  }

  private DisposalOperation dispose(String location) {
    Triggered disposal = rest.disposeSavepoint(at, location);
    return await()
        .until(
            () -> rest.disposalStatus(at, disposal.triggerId()),
            it -> !(it instanceof DisposalOperation.InProgress));
  }
}
