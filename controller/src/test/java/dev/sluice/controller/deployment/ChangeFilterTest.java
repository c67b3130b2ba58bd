package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.LifecycleState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import dev.sluice.api.common.StatusSnapshots;
import dev.sluice.api.deployment.FlinkDeployment;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ChangeFilterTest {

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource
  void an_update_is_worth_a_look_or_not(
      String name, UnaryOperator<Deployed> change, boolean expected) {
    FlinkDeployment now = change.apply(Deployed.running()).resource();

    boolean accepted = FlinkDeploymentReconciler.isChange(now, Deployed.running().resource());

    assertThat(accepted).isEqualTo(expected);
  }

  static Stream<Arguments> an_update_is_worth_a_look_or_not() {
    return Stream.of(
        worth("a new generation", given -> given.generation(7)),
        worth("a request", given -> given.annotated("sluice.dev/abort", "no")),
        worth(
            "where to restore from, which is harmless",
            given -> given.annotated("sluice.dev/restore-from", "empty")),
        not("another annotation", given -> given.annotated("team", "payments")),
        worth("a deletion", Deployed::deleted),
        worth("the finalizer", ChangeFilterTest::withFinalizer),
        worth(
            "the operation parks",
            given -> given.operation(OperationType.UPGRADE, OperationState.PARKED, 5L, 6)),
        worth("the operation says why", given -> given.operationSays("JobFailed", "why")),
        not("the operation takes another step", ChangeFilterTest::anotherStep),
        worth(
            "the operation is blocked",
            given -> given.operation(OperationType.UPGRADE, OperationState.BLOCKED, 5L, 6)),
        worth("what is taken without a FlinkStateSnapshot", ChangeFilterTest::withSnapshot),
        worth("a frozen spec", given -> given.image("flink:2.2").frozen(7)),
        worth(
            "the way back begins", given -> given.reconciliation(ReconciliationState.ROLLING_BACK)),
        not("the controller's own write", ChangeFilterTest::ownWrite));
  }

  private static Arguments worth(String name, UnaryOperator<Deployed> change) {
    return arguments(name, change, true);
  }

  private static Arguments not(String name, UnaryOperator<Deployed> change) {
    return arguments(name, change, false);
  }

  private static Deployed withFinalizer(Deployed given) {
    given.resource().getMetadata().setFinalizers(List.of("f"));
    return given;
  }

  private static Deployed withSnapshot(Deployed given) {
    var status = given.resource().getStatus();
    return given.status(
        status.withSnapshots(
            StatusSnapshots.NONE.with(
                SnapshotType.SAVEPOINT,
                new StatusSnapshot("s", "PERIODIC", "NATIVE", null, null))));
  }

  private static Deployed anotherStep(Deployed given) {
    var status = given.resource().getStatus();
    return given.status(
        status.withOperation(
            status
                .operation()
                .withStep("DeleteCluster")
                .withAttempt(2)
                .withSavepoint("s3://savepoint")
                .withSince("2026-11-21T10:00:00Z")));
  }

  @Test
  void the_progress_of_a_running_operation_is_not_worth_a_look() {
    FlinkDeployment now = Deployed.upgrading().operationSays(null, "3 of 4 tasks run").resource();
    FlinkDeployment before = Deployed.upgrading().operationSays(null, "2 of 4").resource();

    assertThat(FlinkDeploymentReconciler.isChange(now, before)).isFalse();
  }

  private static Deployed ownWrite(Deployed given) {
    var status = given.resource().getStatus();
    return given.status(
        status.withLifecycleState(LifecycleState.STABLE).withObservedGeneration(6L));
  }
}
