package dev.sluice.activities.job;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.FlinkCluster;
import dev.sluice.activities.flink.FlinkVersion;
import dev.sluice.activities.flink.JobOverview.TaskState;
import dev.sluice.activities.flink.SampleJob;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.support.FakeClusters;
import dev.sluice.activities.support.Jobs;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.AwaitRunningRequest;
import dev.sluice.workflows.activity.JobActivities.CancelRequest;
import dev.sluice.workflows.activity.JobActivities.CancelRequest.OnlyIf;
import dev.sluice.workflows.activity.JobActivities.RunningJob;
import dev.sluice.workflows.activity.JobActivities.StopRequest;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.StateRef;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The waits of an upgrade on jobs of every shape, on a real Flink of each version. */
@ParameterizedClass
@MethodSource("clusters")
class JobShapesIT {

  private static final StateRef EMPTY = new StateRef.Empty("first deployment");
  private static final ActGuard LEASED = () -> true;
  private static final String INTERVAL = "execution.checkpointing.interval";
  private static final String AFTER_FINISH =
      "execution.checkpointing.checkpoints-after-tasks-finish";

  private final FlinkCluster flink;
  private final Path savepoints;

  JobShapesIT(FlinkCluster flink) {
    this.flink = flink;
    this.savepoints = flink.folder("savepoints-" + SampleJob.newId());
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
        .join()
        .alive()
        .forEach(job -> cancel(new SampleJob(flink, job.jobId())));
  }

  @Test
  void aJobOfSomebodyElseOnTheClusterIsNamed() {
    SampleJob other = SampleJob.submit(flink).running();
    SampleJob job = SampleJob.submit(flink).running();

    ProbeResult.Failed<RunningJob> failed = failed(() -> startWait(job, EMPTY).look());

    assertThat(failed.type()).isEqualTo(FailureType.OTHER_JOBS);
    assertThat(failed.message()).contains(other.id());
    assertThat(probe(job).look().join().otherJobs()).containsExactly(other.id());
  }

  @Test
  void aJobWhoseBoundedSourceHasFinishedIsUp() {
    SampleJob job =
        SampleJob.submit(
            flink, null, Map.of(INTERVAL, "1s", AFTER_FINISH, "false"), "--bounded-source", "0");
    await().atMost(ofMinutes(1)).until(() -> job.overview().tasks().in(TaskState.FINISHED) == 1);

    RunningJob running = done(() -> startWait(job, EMPTY).look());

    assertThat(running.tasks()).isEqualTo("2 running + 1 finished of 3 tasks");
  }

  @Test
  void aSavepointThatFinishedTasksMakeImpossibleFailsAndTheJobRunsOn() {
    SampleJob job =
        SampleJob.submit(
            flink, null, Map.of(INTERVAL, "1s", AFTER_FINISH, "false"), "--bounded-source", "0");
    done(() -> startWait(job, EMPTY).look());
    SavepointStop stop = stop(job, 1);

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
    await().atMost(ofMinutes(1)).until(() -> job.overview().tasks().in(TaskState.FINISHED) == 1);
    done(() -> startWait(job, EMPTY).look());
    SavepointStop stop = stop(job, 1);

    TakenState taken = done(() -> stop.look(LEASED));

    assertThat(taken.how()).matches("savepoint in \\d+\\.\\d s");
    SampleJob next = SampleJob.submit(flink, taken.state().pathOrNull(), Map.of(), flags);
    JobStartWait restored = startWait(next, taken.state());
    assertThat(done(restored::look).restoredFrom()).isEqualTo(taken.state().pathOrNull());
  }

  @Test
  void aStopWhoseTriggerIsForgottenFindsItsSavepointInTheStatistics() {
    SampleJob job = SampleJob.submit(flink, null, Map.of(INTERVAL, "1h")).running();
    SavepointStop stop = stop(job, 1);
    TakenState taken = done(() -> stop.look(LEASED));
    job.in(FlinkJobState.FINISHED);
    SavepointStop other = stop(job, 1);

    TakenState found = done(() -> other.look(LEASED));

    assertThat(found.state()).isEqualTo(taken.state());
  }

  /** FLINK-37869. */
  @Test
  void aJobThatFinishedByItselfHasNoState() {
    SampleJob job = batch("--batch-elements", "1");
    job.in(FlinkJobState.FINISHED);
    SavepointStop stop = stop(job, 1);

    assertThat(done(() -> stop.look(LEASED)).state()).isInstanceOf(StateRef.Empty.class);
    assertThat(done(() -> startWait(job, EMPTY).look()).jobId()).isEqualTo(job.id());
  }

  @Test
  void aBatchJobIsUpStageByStage() {
    SampleJob job = batch("--batch-elements", "100", "--batch-delay", "100");
    JobStartWait wait = startWait(job, EMPTY);

    RunningJob running = done(wait::look);

    assertThat(running.restoredFrom()).isNull();
    JobProbe probe = probe(job);
    await().atMost(ofMinutes(1)).until(() -> probe.look().join().settled());
    assertThat(flink.rest().jobType(flink.endpoint(), job.id()).join().name()).isEqualTo("BATCH");
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
    JobStartWait wait = startWait(job, EMPTY);

    assertThat(done(wait::look).jobId()).isEqualTo(job.id());
  }

  @Test
  void aBatchJobCannotBeStoppedWithASavepoint() {
    SampleJob job = batch("--batch-elements", "100", "--batch-delay", "100");
    JobStartWait wait = startWait(job, EMPTY);
    done(wait::look);
    SavepointStop stop = stop(job, 1);

    assertThat(failed(() -> stop.look(LEASED)).type()).isEqualTo(FailureType.SAVEPOINT_FAILED);
  }

  @Test
  void aJobThatDeletesItsCheckpointsIsNotCancelledForItsState() {
    SampleJob job =
        SampleJob.submit(flink, null, Map.of(INTERVAL, "1h"), "--retention", "delete").running();
    JobCancellation cancellation = cancellation(job, true);

    ProbeResult.Failed<TakenState> failed = failed(() -> cancellation.look(LEASED));

    assertThat(failed.type()).isEqualTo(FailureType.STATE_NOT_FOUND);
    assertThat(job.overview().isUp()).isTrue();
    assertThat(((JobObservation.Alive) probe(job).look().join().job()).keepsCheckpoints())
        .isEqualTo(Retention.DELETED);
  }

  @Test
  void aJobThatKeepsItsCheckpointsIsCancelledAndLeavesTheNewest() {
    SampleJob job =
        SampleJob.submit(flink, null, Map.of(INTERVAL, "300ms"), "--retention", "retain").running();
    await()
        .atMost(ofMinutes(1))
        .until(
            () ->
                flink
                    .rest()
                    .checkpoints(flink.endpoint(), job.id())
                    .join()
                    .orElseThrow()
                    .latestCompleted()
                    .isPresent());
    JobCancellation cancellation = cancellation(job, true);

    TakenState taken = done(() -> cancellation.look(LEASED));

    assertThat(taken.state()).isInstanceOf(StateRef.Checkpoint.class);
    assertThat(Path.of(URI.create(path(taken)).getPath()).resolve("_metadata")).exists();
  }

  @Test
  void aRunningJobTellsHowLongASavepointMayTake() {
    SampleJob job =
        SampleJob.submit(
                flink, null, Map.of(INTERVAL, "1h", "execution.checkpointing.timeout", "7 min"))
            .running();

    JobObservation.Alive seen = (JobObservation.Alive) probe(job).look().join().job();

    assertThat(seen.savepointTimeoutMs()).isEqualTo(ofMinutes(7).toMillis());
  }

  @Test
  void nothingInsideASavepointTellsWhichJobItIsOf() throws IOException {
    SampleJob job = SampleJob.submit(flink, null, Map.of(INTERVAL, "1h")).running();
    SavepointStop stop = stop(job, 1);
    TakenState taken = done(() -> stop.look(LEASED));
    byte[] metadata =
        Files.readAllBytes(Path.of(URI.create(path(taken)).getPath()).resolve("_metadata"));
    ByteBuffer binary = ByteBuffer.allocate(16);
    binary.putLong(Long.parseUnsignedLong(job.id().substring(0, 16), 16));
    binary.putLong(Long.parseUnsignedLong(job.id().substring(16), 16));

    String content = new String(metadata, StandardCharsets.ISO_8859_1);

    assertThat(content).doesNotContain(job.id());
    assertThat(content).doesNotContain(new String(binary.array(), StandardCharsets.ISO_8859_1));
  }

  private SampleJob batch(String... flags) {
    return SampleJob.submit(
        flink,
        null,
        Map.of(),
        Stream.concat(Stream.of("--batch", "true"), Stream.of(flags)).toArray(String[]::new));
  }

  private void cancel(SampleJob job) {
    flink.rest().cancel(flink.endpoint(), job.id()).join();
    await().atMost(ofMinutes(1)).until(() -> job.overview().state().isGloballyTerminal());
  }

  private static String path(TakenState taken) {
    String path = taken.state().pathOrNull();
    assertThat(path).isNotNull();
    return path;
  }

  private JobTarget target(SampleJob job) {
    FlinkConfiguration configuration =
        FlinkConfiguration.of(
            Map.of(
                "web.refresh-interval",
                "200 ms",
                "rest.port",
                Integer.toString(flink.endpoint().port())));
    RunningCluster cluster =
        new RunningCluster(
            flink.endpoint().cluster(), flink.endpoint(), configuration, job.id(), 1L);
    return new JobTarget(
        cluster,
        job.id(),
        FlinkConfiguration.of(Map.of("state.savepoints.dir", savepoints.toUri().toString())));
  }

  private JobRef ref(SampleJob job) {
    return new JobRef(flink.endpoint().cluster(), job.id());
  }

  private JobStartWait startWait(SampleJob job, StateRef restoredFrom) {
    return new JobStartWait(
        new AwaitRunningRequest(Jobs.RESOURCE, ref(job), restoredFrom, in(ofMinutes(2))),
        target(job),
        FakeClusters.running().access(Clock.systemUTC()),
        flink.rest());
  }

  private SavepointStop stop(SampleJob job, int attempt) {
    StopRequest request =
        new StopRequest(
            Jobs.RESOURCE,
            ref(job),
            SampleJob.newId(),
            System.currentTimeMillis(),
            in(ofMinutes(2)));
    return new SavepointStop(
        request,
        target(job),
        SavepointOptions.of(FlinkConfiguration.empty(), false),
        flink.rest(),
        new SavepointSearch(
            target(job), request.sinceMs(), new LocalSavepointDirectory(), Runnable::run),
        new SlotQueue(new SavepointLimiter(1, 1).slot("default", () -> {}), 0, Clock.systemUTC()),
        new TriggerLog(request, flink.endpoint(), flink.rest(), attempt, Clock.systemUTC()));
  }

  private JobCancellation cancellation(SampleJob job, boolean keepState) {
    return new JobCancellation(
        new CancelRequest(
            Jobs.RESOURCE,
            ref(job),
            keepState ? OnlyIf.STATE_IS_KEPT : OnlyIf.ANY_CASE,
            in(ofMinutes(2))),
        target(job),
        flink.rest(),
        Clock.systemUTC());
  }

  private JobProbe probe(SampleJob job) {
    return JobProbe.at(
        flink.rest(), flink.endpoint(), job.id(), Duration.ofMillis(200), Clock.systemUTC());
  }

  private static long in(Duration later) {
    return System.currentTimeMillis() + later.toMillis();
  }

  private static <T> ProbeResult<T> decided(Supplier<CompletableFuture<ProbeResult<T>>> look) {
    return await()
        .atMost(ofMinutes(2))
        .until(() -> look.get().join(), seen -> !(seen instanceof ProbeResult.NotYet));
  }

  private static <T> T done(Supplier<CompletableFuture<ProbeResult<T>>> look) {
    ProbeResult<T> seen = decided(look);
    assertThat(seen).isInstanceOf(ProbeResult.Done.class);
    return ((ProbeResult.Done<T>) seen).result();
  }

  private static <T> ProbeResult.Failed<T> failed(
      Supplier<CompletableFuture<ProbeResult<T>>> look) {
    ProbeResult<T> seen = decided(look);
    assertThat(seen).isInstanceOf(ProbeResult.Failed.class);
    return (ProbeResult.Failed<T>) seen;
  }
}
