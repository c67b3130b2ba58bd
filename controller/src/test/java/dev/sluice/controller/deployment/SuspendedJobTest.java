package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.LifecycleState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.operation.ReconcileAction;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code spec.job.state: suspended}: which operation it asks for, and what the status says. */
class SuspendedJobTest {

  private static FlinkDeploymentSpec suspendedSpec() {
    FlinkDeploymentSpec spec = DeployedSpec.valid();
    return spec.withJob(spec.job().withState(DesiredJobState.SUSPENDED));
  }

  /** Generation 7 has suspended the job of generation 6. */
  private static Deployed suspended() {
    return Deployed.running()
        .generation(7)
        .spec(suspendedSpec())
        .frozen(7)
        .stable(7)
        .operation(OperationType.SUSPEND, OperationState.SUCCEEDED, 6L, 7)
        .cluster(JobManager.MISSING);
  }

  static Stream<Arguments> decisions() {
    return Stream.of(
        arguments(
            "to be suspended", Deployed.running().generation(7).spec(suspendedSpec()), "Suspend 7"),
        arguments(
            "never deployed, suspended", Deployed.created().spec(suspendedSpec()), "Suspend 1"),
        arguments("suspended", suspended(), "nothing"),
        arguments(
            "another spec while suspended",
            suspended().generation(8).spec(suspendedSpec().withImage("flink:2.2")),
            "Suspend 8"),
        arguments(
            "to be resumed", suspended().generation(8).spec(DeployedSpec.valid()), "Resume 8"),
        arguments(
            "the resume was lost",
            suspended()
                .generation(8)
                .spec(DeployedSpec.valid())
                .frozen(8)
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(OperationType.RESUME, OperationState.RUNNING, 7L, 8),
            "Resume 8 unless open"),
        arguments(
            "the resume was aborted",
            suspended()
                .generation(8)
                .spec(DeployedSpec.valid())
                .operation(OperationType.RESUME, OperationState.ABORTED, 7L, 8),
            "nothing"));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("decisions")
  void one_decision_for_each_snapshot(String name, Deployed given, String expected) {
    assertThat(DecisionText.of(given)).isEqualTo(expected);
  }

  @Test
  void a_suspended_job_is_what_was_asked_for() {
    FlinkDeploymentStatus status = project(suspended());

    assertThat(status.lifecycleState()).isEqualTo(LifecycleState.SUSPENDED);
    assertThat(words(status, "Ready")).isEqualTo("True/Suspended");
    assertThat(words(status, "Running")).isEqualTo("False/Suspended");
    assertThat(words(status, "Stalled")).isEqualTo("False/NotStalled");
    assertThat(status.error()).isNull();
  }

  @Test
  void its_job_is_suspended_for_whoever_reads_the_job_status() {
    FlinkDeploymentStatus status =
        project(
            suspended()
                .jobStatus(
                    JobStatus.EMPTY.withJobId(Deployed.JOB_ID).withState(FlinkJobState.FINISHED)));

    assertThat(status.jobStatus().state()).isEqualTo(FlinkJobState.SUSPENDED);
    assertThat(status.jobStatus().jobId()).isEqualTo(Deployed.JOB_ID);
  }

  static Stream<Arguments> invalid() {
    return Stream.of(
        arguments("with the spec that suspends it", suspended()),
        arguments("with a spec that resumes it", suspended().spec(DeployedSpec.valid())));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("invalid")
  void an_invalid_spec_leaves_what_is_said_of_the_suspended_job(String name, Deployed given) {
    FlinkDeploymentStatus status =
        project(
            given
                .generation(8)
                .invalid()
                .jobStatus(
                    JobStatus.EMPTY.withJobId(Deployed.JOB_ID).withState(FlinkJobState.SUSPENDED)));

    assertThat(status.jobStatus().state()).isEqualTo(FlinkJobState.SUSPENDED);
    assertThat(status.lifecycleState()).isEqualTo(LifecycleState.SUSPENDED);
    assertThat(words(status, "Running")).isEqualTo("False/Suspended");
    assertThat(words(status, "Ready")).isEqualTo("False/InvalidSpec");
    assertThat(words(status, "Stalled")).isEqualTo("True/InvalidSpec");
  }

  private static FlinkDeploymentStatus project(Deployed given) {
    SeenDeployment snapshot = given.snapshot();
    return new DeploymentProjection(Clock.fixed(Deployed.NOW, ZoneOffset.UTC))
        .project(snapshot, new ReconcileAction.Nothing());
  }

  private static String words(FlinkDeploymentStatus status, String type) {
    var condition = status.condition(type).orElseThrow();
    return condition.getStatus() + "/" + condition.getReason();
  }
}
