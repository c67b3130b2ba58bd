package dev.sluice.controller.sessionjob;

import static dev.sluice.api.common.OperationState.ABORTED;
import static dev.sluice.api.common.OperationState.BLOCKED;
import static dev.sluice.api.common.OperationState.FAILED;
import static dev.sluice.api.common.OperationState.PARKED;
import static dev.sluice.api.common.OperationState.RUNNING;
import static dev.sluice.api.common.OperationState.SUCCEEDED;
import static dev.sluice.api.common.OperationType.DELETE;
import static dev.sluice.api.common.OperationType.DEPLOY;
import static dev.sluice.api.common.OperationType.RECOVER;
import static dev.sluice.api.common.OperationType.RESUME;
import static dev.sluice.api.common.OperationType.ROLLBACK;
import static dev.sluice.api.common.OperationType.SUSPEND;
import static dev.sluice.api.common.OperationType.UPGRADE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.controller.deployment.DecisionText;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.WorkflowState.Answer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SessionJobPlannerTest {

  private static final String RETRY = "sluice.dev/retry";
  private static final String ABORT = "sluice.dev/abort";
  private static final String BACK = "sluice.dev/rollback";

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource({"specs", "operations", "requests", "deletions"})
  void one_decision_for_each_state(String name, SessionJobScene given, String expected) {
    assertThat(DecisionText.of(given.decision())).isEqualTo(expected);
  }

  static Stream<Arguments> specs() {
    return Stream.of(
        arguments("new", SessionJobScene.created(), "Deploy 1"),
        arguments("new, without a cluster", SessionJobScene.created().cluster(null), "Deploy 1"),
        arguments("new and invalid", SessionJobScene.created().invalid(), "nothing"),
        arguments("new and suspended", SessionJobScene.created().suspended(), "Suspend 1"),
        arguments("unchanged", SessionJobScene.running(), "nothing"),
        arguments(
            "unchanged, newer generation", SessionJobScene.running().generation(9), "nothing"),
        arguments("changed", SessionJobScene.changed(), "Upgrade 7"),
        arguments("changed and invalid", SessionJobScene.changed().invalid(), "nothing"),
        arguments(
            "to be suspended", SessionJobScene.running().generation(7).suspended(), "Suspend 7"),
        arguments(
            "suspended, to be resumed",
            SessionJobScene.created()
                .suspended()
                .frozen(6)
                .stable(6)
                .reconciliation(ReconciliationState.DEPLOYED)
                .operation(SUSPEND, SUCCEEDED, 5L, 6)
                .seenBefore()
                .generation(7)
                .resumed(),
            "Resume 7"),
        arguments(
            "given up", SessionJobScene.changed().operation(UPGRADE, ABORTED, 6L, 7), "nothing"),
        arguments("failed", SessionJobScene.changed().operation(UPGRADE, FAILED, 6L, 7), "nothing"),
        arguments(
            "given up, then changed again",
            SessionJobScene.changed().operation(UPGRADE, ABORTED, 6L, 7).generation(8),
            "Upgrade 8"),
        arguments(
            "rolled back",
            SessionJobScene.changed().operation(ROLLBACK, SUCCEEDED, 7L, 6),
            "nothing"),
        arguments("its cluster goes", leaving(), "Upgrade 6 unless open"),
        arguments(
            "its cluster goes, and that upgrade was aborted",
            leaving().operation(UPGRADE, ABORTED, 6L, 6),
            "nothing"),
        arguments(
            "its cluster goes, and that upgrade was aborted, and is to be tried again",
            leaving().operation(UPGRADE, ABORTED, 6L, 6).annotated(RETRY, "a"),
            "Upgrade 6 for retry a"),
        arguments(
            "its cluster goes, and that upgrade was aborted for an earlier one of the cluster",
            leaving().operation(UPGRADE, ABORTED, 6L, 6).endedBeforeItsClusterGoes(),
            "Upgrade 6 unless open"),
        arguments(
            "its cluster goes, and a rollback was refused",
            leaving().operation(ROLLBACK, ABORTED, 6L, 6),
            "Upgrade 6 unless open"),
        arguments(
            "its cluster goes, and an older spec was aborted before",
            leaving().operation(UPGRADE, ABORTED, 4L, 5),
            "Upgrade 6 unless open"),
        arguments(
            "the next cluster is not what it needs",
            leaving().invalid().frozen(6).stable(6),
            "nothing"),
        arguments(
            "its cluster goes, and is silent",
            SessionJobScene.running().clusterGoes().silent(),
            "nothing"),
        arguments(
            "its cluster goes, and the job has ended",
            leaving().told(FlinkJobState.FINISHED).saw(FlinkJobState.FINISHED),
            "nothing"),
        arguments(
            "its cluster goes, and the newest spec was given up",
            SessionJobScene.changed()
                .submitted()
                .told(FlinkJobState.RUNNING)
                .clusterGoes()
                .operation(UPGRADE, ABORTED, 6L, 7),
            "nothing"),
        arguments(
            "what is deployed cannot be read", SessionJobScene.changed().unreadable(), "nothing"));
  }

  /** Its job runs on a cluster that waits for it to be suspended. */
  private static SessionJobScene leaving() {
    return SessionJobScene.running().submitted().told(FlinkJobState.RUNNING).clusterGoes();
  }

  static Stream<Arguments> operations() {
    return Stream.of(
        arguments(
            "at work, after a restart of the controller",
            SessionJobScene.upgrading(),
            "Upgrade 7 unless open"),
        arguments(
            "at work, and changed again",
            SessionJobScene.upgrading().generation(8).parallelism(4),
            "Upgrade 8"),
        arguments(
            "at work, and changed to something invalid",
            SessionJobScene.upgrading().generation(8).invalid(),
            "Upgrade 7 unless open"),
        arguments(
            "parked",
            SessionJobScene.upgrading().operation(UPGRADE, PARKED, 6L, 7),
            "Upgrade 7 unless open"),
        arguments(
            "blocked",
            SessionJobScene.upgrading().operation(UPGRADE, BLOCKED, 6L, 7),
            "Upgrade 7 unless open"),
        arguments(
            "begun, and its run was lost before it said so",
            SessionJobScene.changed().frozen(7).reconciliation(ReconciliationState.UPGRADING),
            "Upgrade 7 unless open"),
        arguments(
            "first deployment at work",
            SessionJobScene.created()
                .frozen(1)
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(DEPLOY, RUNNING, null, 1),
            "Deploy 1 unless open"),
        arguments(
            "resuming",
            SessionJobScene.upgrading().operation(RESUME, RUNNING, 6L, 7),
            "Resume 7 unless open"),
        arguments(
            "going back",
            SessionJobScene.upgrading()
                .reconciliation(ReconciliationState.ROLLING_BACK)
                .operation(ROLLBACK, RUNNING, 7L, 6),
            "Rollback 7 unless open"),
        arguments(
            "being brought back",
            SessionJobScene.running().operation(RECOVER, RUNNING, null, 6),
            "Recover 6 unless open"));
  }

  static Stream<Arguments> requests() {
    return Stream.of(
        arguments(
            "an abort of what is at work",
            SessionJobScene.upgrading().annotated(ABORT, "now"),
            "abort now else Upgrade 7"),
        arguments(
            "an abort with nothing at work",
            SessionJobScene.running().annotated(ABORT, "now"),
            "abort now"),
        arguments(
            "an abort that was answered",
            SessionJobScene.running()
                .annotated(ABORT, "now")
                .answered(new Request.Abort("now"), Answer.NOT_OPEN),
            "nothing"),
        arguments(
            "a retry of what was given up",
            SessionJobScene.changed().operation(UPGRADE, FAILED, 6L, 7).annotated(RETRY, "a"),
            "Upgrade 7 for retry a"),
        arguments(
            "a rollback of what is settled",
            SessionJobScene.running().annotated(BACK, "a"),
            "rollback a else Rollback 6"),
        arguments(
            "a rollback together with a new spec",
            SessionJobScene.changed().annotated(BACK, "a"),
            "rollback a else Upgrade 7"),
        arguments(
            "an annotation that the resource was created with",
            SessionJobScene.created().annotated(RETRY, "a"),
            "Deploy 1"));
  }

  static Stream<Arguments> deletions() {
    return Stream.of(
        arguments("nothing began", SessionJobScene.created().deleted(), "let go"),
        arguments("it runs", SessionJobScene.running().deleted(), "Delete 6"),
        arguments(
            "Flink was asked to run it, and no more is known",
            SessionJobScene.created().submitted().deleted(),
            "Delete 1"),
        arguments(
            "a run may be on its way", SessionJobScene.created().begun().deleted(), "Delete 1"),
        arguments(
            "being deleted, after a restart of the controller",
            SessionJobScene.running().operation(DELETE, RUNNING, 6L, 6).deleted(),
            "Delete 6 unless open"),
        arguments(
            "deleted",
            SessionJobScene.running().operation(DELETE, SUCCEEDED, 6L, 6).deleted(),
            "let go"),
        arguments(
            "invalid", SessionJobScene.running().generation(7).invalid().deleted(), "Delete 7"),
        arguments(
            "by force",
            SessionJobScene.running().annotated("sluice.dev/force-delete", "true").deleted(),
            "let go by force"));
  }

  @Test
  void aRunIsShownWithItsClusterAndItsChanges() {
    Start start = (Start) SessionJobScene.changed().decision();

    assertThat(start.run().summary()).isEqualTo("upgrade default/orders 6 -> 7");
    assertThat(start.run().details())
        .contains("**Upgrade** of FlinkSessionJob `default/orders`", "`session`", "parallelism");
  }
}
