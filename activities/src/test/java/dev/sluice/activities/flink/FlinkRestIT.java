package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.sluice.activities.flink.FlinkRestException.NotFound;
import dev.sluice.activities.flink.FlinkRestException.Rejected;
import dev.sluice.api.common.FlinkJobState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Jobs and their ends, asked of a real Flink. */
@OnFlink(FlinkVersion.V2_2)
@Execution(ExecutionMode.CONCURRENT)
class FlinkRestIT {

  private static final String MISSING = "ffffffffffffffffffffffffffffff00";

  private final FlinkCluster cluster;
  private final FlinkRest rest;
  private final Endpoint at;

  FlinkRestIT(FlinkCluster cluster) {
    this.cluster = cluster;
    this.rest = cluster.rest();
    this.at = cluster.endpoint();
  }

  private static FlinkRestException failureOf(ThrowingCallable call) {
    return catchThrowableOfType(FlinkRestException.class, call);
  }

  @Test
  void theOverviewTellsVersionAndSlots() {
    ClusterOverview overview = rest.overview(at);

    assertThat(overview.flinkVersion()).isEqualTo(cluster.version().version());
    assertThat(overview.taskManagers()).isEqualTo(1);
    assertThat(overview.slotsTotal()).isEqualTo(8);
  }

  @Test
  void aJobRunsWhenAllItsTasksDo() {
    SampleJob job = SampleJob.submit(cluster, "--name", "orders").running();

    assertThat(job.overview().name()).isEqualTo("orders");
    assertThat(job.overview().tasks().display()).isEqualTo("2 of 2 tasks running");
    rest.cancel(at, job.id());
  }

  @Test
  void aCancelledJobMayBeCancelledAgain() {
    SampleJob job = SampleJob.submit(cluster).running();

    rest.cancel(at, job.id());
    job.in(FlinkJobState.CANCELED);

    rest.cancel(at, job.id());
    assertThat(job.overview().times().end()).isPresent();
  }

  @Test
  void everyCallSaysNotFoundForAJobFlinkDoesNotKnow() {
    assertThat(failureOf(() -> rest.checkpoints(at, MISSING))).isInstanceOf(NotFound.class);
    assertThat(failureOf(() -> rest.exceptions(at, MISSING, 1))).isInstanceOf(NotFound.class);
    assertThat(failureOf(() -> rest.cancel(at, MISSING)))
        .isInstanceOf(NotFound.class)
        .hasMessageEndingWith(
            "answered 404: FlinkJobNotFoundException: Could not find Flink job (" + MISSING + ")");
  }

  @Test
  void aMalformedIdIsRejectedInFlinksWords() {
    assertThat(failureOf(() -> rest.checkpoints(at, "zz")))
        .isInstanceOf(Rejected.class)
        .hasMessage(
            "default/it: GET /jobs/zz/checkpoints answered 400: HandlerRequestException:"
                + " Cannot resolve path parameter (jobid) from value \"zz\".");
    assertThat(
            failureOf(
                () -> rest.triggerSavepoint(at, MISSING, "zz", null, SavepointFormat.CANONICAL)))
        .isInstanceOf(Rejected.class);
  }

  @Test
  void aRestartingJobSaysWhyAndHasNoSavepoint() throws Exception {
    Path fail = FlagFile.in(cluster, "restarting");
    SampleJob job =
        SampleJob.submit(
                cluster, null, SampleJob.RESTARTS_LATER, "--fail-while-file", fail.toString())
            .running();

    FlagFile.raise(fail);
    job.in(FlinkJobState.RESTARTING);
    await().until(() -> rest.exceptions(at, job.id(), 1).latest().isPresent());
    JobExceptions.Failure latest = rest.exceptions(at, job.id(), 1).latest().orElseThrow();

    assertThat(latest.cause().summary())
        .isEqualTo(
            "IllegalStateException: Told to fail while " + fail + " exists (--fail-while-file).");
    assertThat(latest.origin().taskName().orElseThrow()).startsWith("counter");
    assertThat(latest.origin().taskManager()).isPresent();
    assertThat(latest.frames()).isNotEmpty().allMatch(frame -> frame.startsWith("at "));
    await().until(() -> counted(job).getOrDefault("numRestarts", 0L) > 0);
    assertThat(counted(job))
        .containsKey("numberOfCompletedCheckpoints")
        .doesNotContainKey("noSuchMetric");
    rest.cancel(at, job.id());
  }

  private Map<String, Long> counted(SampleJob job) {
    List<String> names =
        List.of("numRestarts", "fullRestarts", "numberOfCompletedCheckpoints", "noSuchMetric");
    return rest.metrics(at, job.id(), names);
  }

  @Test
  void aJobThatHasEndedIsNotCancelled() throws Exception {
    SampleJob job =
        SampleJob.submit(
            cluster, null, Map.of("restart-strategy.type", "none"), "--fail-after", "10");

    job.in(FlinkJobState.FAILED);

    rest.cancel(at, job.id());

    assertThat(job.overview().state()).isEqualTo(FlinkJobState.FAILED);
  }
}
