package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.LifecycleState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.JobManagerDeploymentStatus;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.Request;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A FlinkDeployment without a job: which operation it needs, and what its status says. */
class SessionClusterTest {

  private static final String RECOVERY = "kubernetes.operator.jm-deployment-recovery.enabled";

  private static FlinkDeploymentSpec spec() {
    return DeployedSpec.valid().withJob(null);
  }

  /** Generation 6 runs; its JobManager answers. */
  private static Deployed running() {
    return Deployed.running().spec(spec()).frozen(6).stable(6).forgotten();
  }

  private static Deployed lost() {
    return running().cluster(JobManager.MISSING);
  }

  static Stream<Arguments> decisions() {
    return Stream.of(
        arguments("new", Deployed.created().spec(spec()), "Deploy 1"),
        arguments("it runs", running(), "nothing"),
        arguments("a newer spec", running().generation(7).image("flink:2.1"), "Upgrade 7"),
        arguments("its JobManager is missing", lost(), "Recover 6 unless open"),
        arguments(
            "its JobManager is missing, recovery is off",
            lost().configured(RECOVERY, "false"),
            "nothing"),
        arguments(
            "its JobManager is missing, recovery is off, retry",
            lost().configured(RECOVERY, "false").annotated(new Request.Retry("now")),
            "Upgrade 6 for retry now"),
        arguments("its JobManager starts", running().cluster(JobManager.STARTING), "nothing"),
        arguments("it is deleted", running().deleted(), "Delete 6"));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("decisions")
  void one_decision_for_each_snapshot(String name, Deployed given, String expected) {
    assertThat(DecisionText.of(given)).isEqualTo(expected);
  }

  @Test
  void a_cluster_that_answers_is_stable_and_has_no_job_status() {
    FlinkDeploymentStatus status = project(running());

    assertThat(status.lifecycleState()).isEqualTo(LifecycleState.STABLE);
    assertThat(status.jobManagerDeploymentStatus()).isEqualTo(JobManagerDeploymentStatus.READY);
    assertThat(status.jobStatus()).isNull();
    assertThat(words(status, "Ready")).isEqualTo("True/UpToDate");
    assertThat(words(status, "Running")).isEqualTo("True/Running");
  }

  @Test
  void a_cluster_that_is_deployed_has_no_job_status_either() {
    Deployed deploying =
        Deployed.created()
            .spec(spec())
            .operation(OperationType.DEPLOY, OperationState.RUNNING, null, 1);

    assertThat(project(deploying).jobStatus()).isNull();
  }

  @Test
  void a_cluster_that_is_lost_is_said_to_be_started_again() {
    FlinkDeploymentStatus status = project(lost());

    assertThat(status.condition("Ready").orElseThrow().getMessage())
        .contains("the session cluster does not run. It is started again");
  }

  @Test
  void a_deletion_that_is_held_says_what_to_do() {
    Deployed held =
        running()
            .deleted()
            .operation(OperationType.DELETE, OperationState.BLOCKED, null, 6)
            .operationSays("OtherJobs", "Jobs run on the session cluster: 1. Cancel them.");

    FlinkDeploymentStatus status = project(held);

    assertThat(words(status, "Stalled")).isEqualTo("True/OtherJobs");
    assertThat(status.condition("Stalled").orElseThrow().getMessage())
        .isEqualTo("Jobs run on the session cluster: 1. Cancel them.");
    assertThat(words(status, "Ready")).isEqualTo("False/Deleting");
  }

  private static FlinkDeploymentStatus project(Deployed given) {
    return new DeploymentProjection(Clock.fixed(Deployed.NOW, ZoneOffset.UTC))
        .project(given.snapshot(), new ReconcileAction.Nothing());
  }

  private static String words(FlinkDeploymentStatus status, String type) {
    var condition = status.condition(type).orElseThrow();
    return condition.getStatus() + "/" + condition.getReason();
  }
}
