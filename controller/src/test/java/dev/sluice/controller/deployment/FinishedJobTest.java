package dev.sluice.controller.deployment;

import static dev.sluice.api.common.OperationState.ABORTED;
import static dev.sluice.api.common.OperationState.RUNNING;
import static dev.sluice.api.common.OperationType.RECOVER;
import static dev.sluice.api.common.OperationType.UPGRADE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.operation.Request;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FinishedJobTest {

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource
  void a_job_that_would_run_again_is_finished_for_good(
      String name, Deployed given, String expected) {
    assertThat(DecisionText.of(given)).isEqualTo(expected);
  }

  static Stream<Arguments> a_job_that_would_run_again_is_finished_for_good() {
    return Stream.of(
        arguments("the job has finished", Deployed.finished(), "Finish 6 unless open"),
        arguments(
            "that is recorded, but its cluster is there",
            Deployed.finished().ended(FlinkJobState.FINISHED),
            "Finish 6 unless open"),
        arguments(
            "that is recorded, and it runs again",
            Deployed.running().ended(FlinkJobState.FINISHED),
            "nothing"),
        arguments(
            "the job has finished with high availability, which keeps its result but not its state",
            Deployed.highlyAvailable().job(FlinkJobState.FINISHED, false),
            "Finish by a note 6 unless open"),
        arguments(
            "the same, and what it left is recorded",
            Deployed.highlyAvailable()
                .ended(FlinkJobState.FINISHED)
                .job(FlinkJobState.FINISHED, false),
            "nothing"),
        arguments(
            "the job has finished, and what it left could not be told",
            Deployed.finished().ended(FlinkJobState.FINISHED, null),
            "nothing"),
        arguments(
            "the job has failed with high availability, and its recovery was called off",
            Deployed.highlyAvailable()
                .configured("kubernetes.operator.job.restart.failed", "true")
                .frozen(6)
                .stable(6)
                .operation(RECOVER, ABORTED, 6L, 6)
                .failed("lost a table"),
            "Finish by a note 6 unless open"),
        arguments(
            "the job has finished while an upgrade stops it",
            inFlight().job(FlinkJobState.FINISHED, false),
            "Upgrade 6 unless open"),
        arguments(
            "the job has finished, and a newer spec is there",
            Deployed.changed().job(FlinkJobState.FINISHED, false),
            "Upgrade 7"),
        arguments(
            "the job has finished, and the newest spec is invalid",
            Deployed.changed().invalid().job(FlinkJobState.FINISHED, false),
            "Finish 6 unless open"),
        arguments(
            "the job has finished after a newer spec was given up",
            Deployed.changed()
                .operation(UPGRADE, ABORTED, 6L, 7)
                .job(FlinkJobState.FINISHED, false),
            "Finish 6 unless open"),
        arguments(
            "the job was cancelled",
            Deployed.running().job(FlinkJobState.CANCELED, false),
            "Finish 6 unless open"),
        arguments(
            "the job has failed",
            Deployed.running().failed("lost a table"),
            "Finish 6 unless open"),
        arguments(
            "the job has failed, and it is not known yet why",
            Deployed.running().job(FlinkJobState.FAILED, false),
            "nothing"),
        arguments(
            "the job has failed, and is to be recovered",
            Deployed.running()
                .configured("kubernetes.operator.job.restart.failed", "true")
                .failed("lost a table"),
            "Recover 6 unless open"),
        arguments(
            "the job has failed, and its recovery was called off",
            Deployed.running()
                .configured("kubernetes.operator.job.restart.failed", "true")
                .operation(RECOVER, ABORTED, 6L, 6)
                .failed("lost a table"),
            "Finish 6 unless open"),
        arguments(
            "the job has failed for good, and people want it to be recovered after all",
            stoppedAsFailed().annotated(new Request.Retry("now")),
            "Recover 6 for retry now"),
        arguments(
            "the job has failed for good, and its recovery was given up",
            stoppedAsFailed(),
            "nothing"),
        arguments(
            "the job has finished and the resource is deleted",
            Deployed.finished().deleted(),
            "Delete 6"));
  }

  /** As long as people may want to look at it: high availability keeps it from running again. */
  @ParameterizedTest(name = "{0}, TTL {1}, {2} s later: {3}")
  @CsvSource({
    "FINISHED, , 86399, nothing",
    "FINISHED, , 86400, Finish 6 unless open",
    "CANCELED, , 86400, Finish 6 unless open",
    "FAILED, , 86400, Finish 6 unless open",
    "FINISHED, 2 h, 7199, nothing",
    "FINISHED, 2 h, 7200, Finish 6 unless open",
    "FINISHED, 0 s, 0, Finish 6 unless open",
    "FINISHED, rubbish, 86399, nothing"
  })
  void with_high_availability_the_cluster_is_deleted_after_its_TTL(
      FlinkJobState state, String ttl, long seconds, String expected) {
    Deployed job = Deployed.highlyAvailable().ended(state).job(state, false);
    if (ttl != null) {
      job.configured("kubernetes.operator.jm-deployment.shutdown-ttl", ttl).frozen(6).stable(6);
    }

    assertThat(DecisionText.of(job.later(Duration.ofSeconds(seconds)))).isEqualTo(expected);
  }

  /** Its JobManager was restarted since, and knows nothing of the job any more, or is away. */
  @ParameterizedTest(name = "{0}, JobManager {1}, {2} s later: {3}")
  @CsvSource({
    "FINISHED, RUNNING, 86399, nothing",
    "FINISHED, RUNNING, 86400, Finish 6 unless open",
    "CANCELED, FAILING, 86400, Finish 6 unless open",
    "CANCELED, MISSING, 86400, nothing",
  })
  void a_JobManager_that_has_forgotten_its_job_goes_after_the_TTL_of_what_is_recorded(
      FlinkJobState state, JobManager jobManager, long seconds, String expected) {
    Deployed ended = Deployed.highlyAvailable().ended(state).cluster(jobManager);
    if (jobManager == JobManager.RUNNING) {
      ended.forgotten();
    }

    assertThat(DecisionText.of(ended.later(Duration.ofSeconds(seconds)))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"86399, nothing", "86400, Finish 6 unless open"})
  void what_could_not_be_told_is_asked_once_more_after_the_TTL(long seconds, String expected) {
    Deployed untold = Deployed.finished().ended(FlinkJobState.FINISHED, null);

    assertThat(DecisionText.of(untold.later(Duration.ofSeconds(seconds)))).isEqualTo(expected);
  }

  @Test
  void without_a_record_a_JobManager_that_knows_no_job_stays() {
    Deployed unknown = Deployed.highlyAvailable().forgotten().later(Duration.ofDays(30));

    assertThat(DecisionText.of(unknown)).isEqualTo("nothing");
  }

  @Test
  void what_Flink_tells_of_the_job_goes_before_what_is_recorded() {
    Deployed begunAgain =
        Deployed.highlyAvailable()
            .ended(FlinkJobState.FAILED)
            .job(FlinkJobState.RUNNING, true)
            .later(Duration.ofDays(30));

    assertThat(DecisionText.of(begunAgain)).isEqualTo("nothing");
  }

  @Test
  void the_reconciler_comes_back_when_the_TTL_is_over() {
    Deployed job =
        Deployed.highlyAvailable().ended(FlinkJobState.FINISHED).job(FlinkJobState.FINISHED, false);

    assertThat(JobManagerShutdown.deleteAt(job.snapshot()))
        .contains(Deployed.NOW.plus(Duration.ofDays(1)));
  }

  /** Its recovery was aborted, then its end was recorded and its cluster deleted. */
  private static Deployed stoppedAsFailed() {
    return Deployed.running()
        .configured("kubernetes.operator.job.restart.failed", "true")
        .operation(RECOVER, ABORTED, 6L, 6)
        .endedForGood(FlinkJobState.FAILED);
  }

  private static Deployed inFlight() {
    return Deployed.running()
        .reconciliation(ReconciliationState.UPGRADING)
        .operation(UPGRADE, RUNNING, 5L, 6);
  }
}
