package dev.sluice.controller.sessionjob;

import static dev.sluice.api.common.FlinkJobState.CANCELED;
import static dev.sluice.api.common.FlinkJobState.FAILED;
import static dev.sluice.api.common.FlinkJobState.FINISHED;
import static dev.sluice.api.common.FlinkJobState.RECONCILING;
import static dev.sluice.api.common.FlinkJobState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.controller.deployment.DecisionText;
import dev.sluice.controller.operation.ReconcileAction.Start;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A job that its session cluster does not know is brought back; one that has ended is not. */
class LostSessionJobTest {

  private static final String HA = "high-availability.type";

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource
  void what_is_lost_is_recovered(String name, SessionJobScene given, String expected) {
    assertThat(DecisionText.of(given.decision())).isEqualTo(expected);
  }

  static Stream<Arguments> what_is_lost_is_recovered() {
    return Stream.of(
        arguments("runs", running().told(RUNNING), "nothing"),
        arguments("gone", running().saw(RUNNING).told(null), "Recover 6 unless open"),
        arguments(
            "gone, was not known before",
            running().saw(RECONCILING).told(null),
            "Recover 6 unless open"),
        arguments("gone, never seen", running().told(null), "Recover 6 unless open"),
        arguments("silent", running().saw(RUNNING).silent(), "nothing"),
        arguments("no cluster", running().saw(RUNNING).cluster(null), "nothing"),
        arguments("finished", running().saw(FINISHED).told(null), "nothing"),
        arguments("cancelled", running().saw(CANCELED).told(null), "nothing"),
        arguments("failed", running().saw(FAILED).told(null), "nothing"),
        arguments("Flink says failed", running().told(FAILED), "nothing"),
        arguments("Flink says finished", running().told(FINISHED), "nothing"),
        arguments(
            "failed, and is to be restarted",
            running().says("kubernetes.operator.job.restart.failed", "true").told(FAILED),
            "Recover 6 unless open"),
        arguments(
            "recovery is switched off",
            running()
                .says("kubernetes.operator.jm-deployment-recovery.enabled", "false")
                .saw(RUNNING)
                .told(null),
            "nothing"),
        arguments("suspended", running().suspended().frozen(6).told(null), "nothing"),
        arguments("was never asked to run", SessionJobScene.running().told(null), "nothing"),
        arguments(
            "high availability, the same cluster",
            running().clusterSays(HA, "kubernetes").saw(RUNNING).told(null),
            "nothing"),
        arguments(
            "high availability, another cluster: it may have ended on the one before",
            running()
                .clusterSays(HA, "kubernetes")
                .saw(RUNNING)
                .toldByCluster("0".repeat(31) + "d"),
            "nothing"),
        arguments(
            "no high availability, another cluster",
            running().saw(RUNNING).toldByCluster("0".repeat(31) + "d"),
            "Recover 6 unless open"),
        arguments(
            "an upgrade is at work",
            SessionJobScene.upgrading().submitted().told(null),
            "Upgrade 7 unless open"),
        arguments(
            "the recovery was aborted",
            running()
                .operation(OperationType.RECOVER, OperationState.ABORTED, 6L, 6)
                .saw(RUNNING)
                .told(null),
            "nothing"));
  }

  @Test
  void a_retry_recovers_although_recovery_was_aborted() {
    SessionJobScene given =
        running()
            .operation(OperationType.RECOVER, OperationState.ABORTED, 6L, 6)
            .saw(RUNNING)
            .told(null)
            .annotated("sluice.dev/retry", "again");

    assertThat(DecisionText.of(given.decision())).startsWith("Recover 6");
  }

  @Test
  void the_run_says_why() {
    Start start = (Start) running().saw(RUNNING).told(null).decision();

    assertThat(start.run().loss().cause()).isEqualTo(RecoveryCause.JOB_MANAGER_MISSING);
    assertThat(start.run().details())
        .contains("does not know job " + SessionJobScene.JOB + " any more");
  }

  private static SessionJobScene running() {
    return SessionJobScene.running().submitted();
  }
}
