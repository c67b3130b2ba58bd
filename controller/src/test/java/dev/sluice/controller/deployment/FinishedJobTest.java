package dev.sluice.controller.deployment;

import static dev.sluice.api.common.OperationState.ABORTED;
import static dev.sluice.api.common.OperationState.RUNNING;
import static dev.sluice.api.common.OperationType.FINISH;
import static dev.sluice.api.common.OperationType.UPGRADE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.operation.WorkflowState;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
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
        arguments("the job has finished", Deployed.finished(), "Finish 6"),
        arguments(
            "the job has finished, and Finish was started a moment ago",
            Deployed.finished().started(FINISH),
            "nothing"),
        arguments(
            "the job has finished, and Finish was not heard of since",
            Deployed.finished().workflow(new WorkflowState(6L, FINISH, false, Map.of(), null)),
            "Finish 6 unless open"),
        arguments(
            "the job has finished, and its JobManager is stopped",
            Deployed.finished().cluster(JobManager.STOPPED),
            "nothing"),
        arguments(
            "the job has finished with high availability, which keeps its result",
            Deployed.highlyAvailable().job(FlinkJobState.FINISHED, false),
            "nothing"),
        arguments(
            "the job has finished while an upgrade stops it",
            inFlight().sent(6).job(FlinkJobState.FINISHED, false),
            "nothing"),
        arguments(
            "the job has finished, and a newer spec is there",
            Deployed.changed().job(FlinkJobState.FINISHED, false),
            "Upgrade 7"),
        arguments(
            "the job has finished, and the newest spec is invalid",
            Deployed.changed().invalid().job(FlinkJobState.FINISHED, false),
            "Finish 6"),
        arguments(
            "the job has finished after a newer spec was given up",
            Deployed.changed()
                .operation(UPGRADE, ABORTED, 6L, 7)
                .job(FlinkJobState.FINISHED, false),
            "Finish 6"),
        arguments(
            "Finish was called off",
            Deployed.finished().operation(FINISH, ABORTED, 6L, 6),
            "nothing"),
        arguments(
            "the job was cancelled",
            Deployed.running().job(FlinkJobState.CANCELED, false),
            "nothing"),
        arguments(
            "the job has finished and the resource is deleted",
            Deployed.finished().deleted(),
            "Delete 6"));
  }

  private static Deployed inFlight() {
    return Deployed.running()
        .reconciliation(ReconciliationState.UPGRADING)
        .operation(UPGRADE, RUNNING, 5L, 6);
  }
}
