package dev.sluice.workflows.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.fake.FakeEnvironment;
import dev.sluice.workflows.fake.OperationTestServer;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The JobManager of a job that has ended is stopped. */
class FinishTest {

  private final FakeEnvironment environment = FakeEnvironment.running(6, 6);
  private final OperationTestServer server = new OperationTestServer(environment);

  @AfterEach
  void close() {
    server.close();
    assertThat(environment.violations).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "FINISHED, OFF, has finished",
    "FINISHED, CHECKPOINT, has finished",
    "FAILED, CHECKPOINT, has failed",
    "CANCELED, OFF, was cancelled"
  })
  void of_a_job_that_has_ended_the_JobManager_is_stopped(
      FlinkJobState state, HighAvailability availability, String words) {
    environment.jobState = state;
    environment.highAvailability = availability;

    server.signalWithStart("Finish", 6);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.FINISHED);
    assertThat(environment.calls).contains(Step.STOP_JOB_MANAGER.title());
    assertThat(environment.stopped.state()).isEqualTo(state);
    assertThat(environment.lastReported()).isEqualTo(OperationState.SUCCEEDED);
    assertThat(server.outcome().message()).contains(words);
    assertThat(environment.reports)
        .last()
        .extracting(OperationReport::event)
        .isEqualTo("JobManagerStopped");
  }

  /** Its JobManager may be the only one that can be asked; it is not tried again and again. */
  @Test
  void while_it_is_not_known_what_a_job_left_its_JobManager_stays() {
    environment.jobState = FlinkJobState.FINISHED;
    environment.newest = new StateRef.Unknown("Flink does not tell its path");

    server.signalWithStart("Finish", 6);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UP_TO_DATE);
    assertThat(environment.calls).doesNotContain(Step.STOP_JOB_MANAGER.title());
    assertThat(environment.lastReported()).isEqualTo(OperationState.FAILED);
    assertThat(server.outcome().message()).contains("Flink does not tell its path");
  }

  /** With high availability its JobManager stays for a while, and may forget the job meanwhile. */
  @Test
  void what_a_job_left_is_noted_before_its_JobManager_is_stopped() {
    environment.jobState = FlinkJobState.FAILED;
    environment.newest = new StateRef.Checkpoint("file:/c/chk-9");

    server.finishKeepingJobManager(6);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.FINISHED);
    assertThat(environment.calls).doesNotContain(Step.STOP_JOB_MANAGER.title());
    assertThat(environment.reports).extracting(OperationReport::event).containsOnlyNulls();
    assertThat(environment.noted.state()).isEqualTo(FlinkJobState.FAILED);
    assertThat(environment.noted.leftState()).isEqualTo(new StateRef.Checkpoint("file:/c/chk-9"));
    assertThat(environment.lastReported()).isEqualTo(OperationState.SUCCEEDED);
  }

  @Test
  void what_is_not_known_is_not_noted() {
    environment.jobState = FlinkJobState.FAILED;
    environment.newest = new StateRef.Unknown("Flink has deleted it");

    server.finishKeepingJobManager(6);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UP_TO_DATE);
    assertThat(environment.calls).doesNotContain(Step.NOTE_END.title());
    assertThat(environment.lastReported()).isEqualTo(OperationState.FAILED);
  }

  @Test
  void a_job_that_runs_keeps_its_JobManager() {
    server.signalWithStart("Finish", 6);

    assertThat(server.outcome().result()).isEqualTo(OperationResult.UP_TO_DATE);
    assertThat(environment.calls).doesNotContain(Step.STOP_JOB_MANAGER.title());
  }
}
