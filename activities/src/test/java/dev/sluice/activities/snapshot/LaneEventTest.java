package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LaneEventTest {

  private static final ResourceRef LANE =
      StatusLane.of(
          new ResourceRef("k", "FlinkDeployment", "default", "orders", "12345678-90ab"),
          SnapshotType.SAVEPOINT);

  private static OperationReport report(
      String operation, OperationState state, @Nullable String event, String message) {
    return new OperationReport(
        LANE,
        new RunRef(operation, LANE.laneId(), "run-1"),
        state,
        "Step",
        1,
        null,
        message,
        event,
        null,
        null,
        null);
  }

  @Test
  void whatIsNoEventIsNone() {
    assertThat(
            LaneEvent.of(
                report("Snapshot", OperationState.RUNNING, null, "waits"),
                SnapshotType.SAVEPOINT,
                "orders-1"))
        .isNull();
  }

  @Test
  void itNamesTheSnapshot() {
    OperationReport taken =
        report("Snapshot", OperationState.SUCCEEDED, "SnapshotCompleted", "It was taken");

    assertThat(LaneEvent.of(taken, SnapshotType.CHECKPOINT, "orders-1"))
        .isEqualTo(new LaneEvent("SnapshotCompleted", "checkpoint orders-1: It was taken"));
  }

  @Test
  void aRemovalNamesItself() {
    OperationReport removed =
        report(
            "Delete", OperationState.SUCCEEDED, "SnapshotRemoved", "The savepoint s3://1 is gone");

    assertThat(LaneEvent.of(removed, SnapshotType.SAVEPOINT, null))
        .isEqualTo(new LaneEvent("SnapshotRemoved", "The savepoint s3://1 is gone"));
  }

  /** An annotation would abort the upgrade of the job. */
  @ParameterizedTest
  @CsvSource({
    "Snapshot, orders-1, BLOCKED, savepoint orders-1: reset, `retry` or `abort`",
    "Snapshot, , PARKED, savepoint: reset, `retry` or `abort`",
    "Delete, , BLOCKED, removal from the savepoint history: reset, `retry`",
  })
  void oneThatIsHeldSaysHowToReachItsRun(
      String operation, @Nullable String name, OperationState state, String what, String requests) {
    assertThat(
            LaneEvent.of(
                report(operation, state, "Blocked", "reset"), SnapshotType.SAVEPOINT, name))
        .isEqualTo(
            new LaneEvent(
                "SnapshotError",
                "%s. Retried automatically. By hand: send signal %s to workflow FlinkDeployment-savepoint_default_orders_12345678"
                    .formatted(what, requests)));
  }
}
