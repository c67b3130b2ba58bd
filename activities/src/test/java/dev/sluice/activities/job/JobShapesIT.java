package dev.sluice.activities.job;

import static dev.sluice.activities.job.FlinkWaits.done;
import static dev.sluice.activities.job.FlinkWaits.failed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.FlinkCluster;
import dev.sluice.activities.flink.FlinkVersion;
import dev.sluice.activities.flink.JobOverview.TaskState;
import dev.sluice.activities.flink.SampleJob;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.StableAfter;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.RunningJob;
import dev.sluice.workflows.activity.JobActivities.StableJob;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.StateRef;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The waits of an upgrade on jobs of every shape, on a real Flink of each version. */
@Tag("slow")
@ParameterizedClass
@MethodSource("clusters")
class JobShapesIT {

  private static final StateRef EMPTY = new StateRef.Empty("first deployment");
  private static final ActGuard LEASED = () -> true;
  private static final String INTERVAL = "execution.checkpointing.interval";
  private static final Map<String, String> RESTARTS_SOON =
      Map.of(
          "restart-strategy.type", "fixed-delay",
          "restart-strategy.fixed-delay.attempts", "1000",
          "restart-strategy.fixed-delay.delay", "100ms");
  private static final String AFTER_FINISH =
      "execution.checkpointing.checkpoints-after-tasks-finish";

  private final FlinkCluster flink;
  private final Path savepoints;
  private final FlinkWaits waits;

  JobShapesIT(FlinkCluster flink) {
    this.flink = flink;
    this.savepoints = flink.folder("savepoints-" + SampleJob.newId());
    this.waits = new FlinkWaits(flink, savepoints);
  }

  static Stream<FlinkCluster> clusters() {
    // both start at once, while the tests of one version follow those of the other
    return Stream.of(FlinkVersion.values())
        .map(version -> CompletableFuture.supplyAsync(() -> FlinkCluster.start(version)))
        .toList()
        .stream()
        .map(CompletableFuture::join);
  }

  @AfterEach
  void cancelWhatIsLeft() {
    flink
        .rest()
        .jobsOverview(flink.endpoint())
        .alive()
        .forEach(job -> cancel(new SampleJob(flink, job.jobId())));
  }

  @Test
  void aJobWhoseBoundedSourceHasFinishedIsUp() {
    SampleJob job =
        SampleJob.submit(
            flink, null, Map.of(INTERVAL, "1s", AFTER_FINISH, "false"), "--bounded-source", "0");
    await().until(() -> job.overview().tasks().in(TaskState.FINISHED) == 1);

    RunningJob running = done(() -> waits.startWait(job, EMPTY).look());

    assertThat(running.tasks()).isEqualTo("2 running + 1 finished of 3 tasks");
  }

  @Test
  void aSavepointThatFinishedTasksMakeImpossibleFailsAndTheJobRunsOn() {
    SampleJob job =
        SampleJob.submit(
            flink, null, Map.of(INTERVAL, "1s", AFTER_FINISH, "false"), "--bounded-source", "0");
    done(() -> waits.startWait(job, EMPTY).look());
    SavepointStop stop = waits.stop(job, 1);

    ProbeResult.Failed<TakenState> failed = failed(() -> stop.look(LEASED));

    assertThat(failed.type()).isEqualTo(FailureType.SAVEPOINT_FAILED);
    assertThat(failed.message()).contains("finished");
    assertThat(job.overview().state()).isEqualTo(FlinkJobState.RUNNING);
  }

  @Test
  void aJobWithAFinishedSplitIsStoppedAndSaysWhatItWasRestoredFrom() {
    Map<String, String> two = Map.of("parallelism.default", "2");
    String[] flags = "--splits 2 --bounded-split 20 --keys 37".split(" ");
    SampleJob job = SampleJob.submit(flink, null, two, flags);
    await().until(() -> job.overview().tasks().in(TaskState.FINISHED) == 1);
    done(() -> waits.startWait(job, EMPTY).look());
    SavepointStop stop = waits.stop(job, 1);

    TakenState taken = done(() -> stop.look(LEASED));

    assertThat(taken.how()).matches("savepoint in \\d+\\.\\d s");
    SampleJob next = SampleJob.submit(flink, taken.state().pathOrNull(), Map.of(), flags);
    JobUpWait<RunningJob> restored = waits.startWait(next, taken.state());
    assertThat(done(restored::look).restoredFrom()).isEqualTo(taken.state().pathOrNull());
  }

  @Test
  void aStopWhoseTriggerIsForgottenFindsItsSavepointInTheStatistics() {
    SampleJob job = SampleJob.submit(flink, null, Map.of(INTERVAL, "1h")).running();
    SavepointStop stop = waits.stop(job, 1);
    TakenState taken = done(() -> stop.look(LEASED));
    job.in(FlinkJobState.FINISHED);
    SavepointStop other = waits.stop(job, 1);

    TakenState found = done(() -> other.look(LEASED));

    assertThat(found.state()).isEqualTo(taken.state());
  }

  /** FLINK-37869. */
  @Test
  void aJobThatFinishedByItselfHasNoState() {
    SampleJob job = batch("--batch-elements", "1");
    job.in(FlinkJobState.FINISHED);
    SavepointStop stop = waits.stop(job, 1);

    assertThat(done(() -> stop.look(LEASED)).state()).isInstanceOf(StateRef.Empty.class);
    assertThat(done(() -> waits.startWait(job, EMPTY).look()).jobId()).isEqualTo(job.id());
  }

  @Test
  void aBatchJobIsUpStageByStage() {
    SampleJob job = batch("--batch-elements", "100", "--batch-delay", "100");
    JobUpWait<RunningJob> wait = waits.startWait(job, EMPTY);

    RunningJob running = done(wait::look);

    assertThat(running.restoredFrom()).isNull();
    JobProbe probe = waits.probe(job);
    await().until(() -> probe.look().settled());
    assertThat(flink.rest().jobType(flink.endpoint(), job.id()).name()).isEqualTo("BATCH");
  }

  @Test
  void aBatchJobWithTheDefaultSchedulerIsUpWhileTheSecondStageWaits() {
    SampleJob job =
        SampleJob.submit(
            flink,
            null,
            Map.of("jobmanager.scheduler", "Default", "parallelism.default", "1"),
            "--batch",
            "true",
            "--batch-elements",
            "100",
            "--batch-delay",
            "100");
    JobUpWait<RunningJob> wait = waits.startWait(job, EMPTY);

    assertThat(done(wait::look).jobId()).isEqualTo(job.id());
  }

  @Test
  void aJobThatDeletesItsCheckpointsIsNotCancelledForItsState() {
    SampleJob job =
        SampleJob.submit(flink, null, Map.of(INTERVAL, "1h"), "--retention", "delete").running();
    JobCancellation cancellation = waits.cancellation(job, true);

    ProbeResult.Failed<TakenState> failed = failed(() -> cancellation.look(LEASED));

    assertThat(failed.type()).isEqualTo(FailureType.STATE_NOT_FOUND);
    assertThat(job.overview().isUp()).isTrue();
    assertThat(((JobObservation.Alive) waits.probe(job).look().job()).keepsCheckpoints())
        .isEqualTo(Retention.DELETED);
  }

  @Test
  void aJobThatKeepsItsCheckpointsIsCancelledAndLeavesTheNewest() {
    SampleJob job =
        SampleJob.submit(flink, null, Map.of(INTERVAL, "300ms"), "--retention", "retain").running();
    await()
        .until(
            () ->
                flink
                    .rest()
                    .checkpoints(flink.endpoint(), job.id())
                    .orElseThrow()
                    .latestCompleted()
                    .isPresent());
    JobCancellation cancellation = waits.cancellation(job, true);

    TakenState taken = done(() -> cancellation.look(LEASED));

    assertThat(taken.state()).isInstanceOf(StateRef.Checkpoint.class);
    assertThat(Path.of(URI.create(path(taken)).getPath()).resolve("_metadata")).exists();
  }

  @Test
  void aRestartBeginsTheTimeUntilAJobIsStableAnew() throws IOException {
    Path broken = savepoints.resolveSibling("broken-" + SampleJob.newId());
    SampleJob job =
        SampleJob.submit(flink, null, RESTARTS_SOON, "--fail-while-file", broken.toString())
            .running();
    JobUpWait<StableJob> wait = waits.stableWait(job, new StableAfter(3_000));
    Instant before = job.overview().times().lastModification();
    Files.createFile(broken);
    await().until(() -> !job.overview().isUp());
    Files.delete(broken);

    StableJob stable = done(wait::look);

    Instant restarted = job.overview().times().lastModification();
    assertThat(restarted).isAfter(before);
    assertThat(Instant.now()).isAfterOrEqualTo(restarted.plusSeconds(3));
    assertThat(stable.why()).isEqualTo("3 s without a restart");
  }

  private SampleJob batch(String... flags) {
    return SampleJob.submit(
        flink,
        null,
        Map.of(),
        Stream.concat(Stream.of("--batch", "true"), Stream.of(flags)).toArray(String[]::new));
  }

  private void cancel(SampleJob job) {
    flink.rest().cancel(flink.endpoint(), job.id());
    await().until(() -> job.overview().state().isGloballyTerminal());
  }

  private static String path(TakenState taken) {
    String path = taken.state().pathOrNull();
    assertThat(path).isNotNull();
    return path;
  }
}
