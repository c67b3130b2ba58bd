package dev.sluice.workflows.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import dev.sluice.workflows.operation.Ids;
import dev.sluice.workflows.operation.OperationTable;
import dev.sluice.workflows.simulation.WorkflowWorker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A lane without a FlinkStateSnapshot takes one snapshot after the other. */
class StatusLaneTest {

  private static final ResourceRef ORDERS =
      new ResourceRef("k", "FlinkDeployment", "default", "orders", "12345678-90ab");

  private final WorkflowWorker workflows =
      new WorkflowWorker(SnapshotWorkflow.class, DisposeSnapshotWorkflow.class);
  private final SnapshotModel model = new SnapshotModel();
  private final SnapshotLane lane = SnapshotLane.ofStatus(workflows, model, "orders");

  @AfterEach
  void noRuleIsBroken() {
    workflows.close();
    assertThat(model.violations).isEmpty();
  }

  private void another(String id) {
    model.id = id;
    model.record = SnapshotRecord.NONE;
  }

  @Test
  void eachHasATriggerIdOfItsOwn() {
    lane.untilRest();
    another("uid-2");
    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.record.path()).isEqualTo("s3://savepoints/2");
    assertThat(model.triggers)
        .containsExactly(Ids.after("uid", "snapshot", null), Ids.after("uid-2", "snapshot", null));
  }

  /** As of one that was reset to before the end of the snapshot that it remembers. */
  @Test
  void aRunThatRemembersAnotherOneLooksAgain() {
    model.script =
        (call, step, after) -> {
          if (call == 4 && !after) {
            another("uid-2");
          }
        };

    lane.untilRest();

    assertThat(model.triggers).containsExactly(Ids.after("uid-2", "snapshot", null));
    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
  }

  @Test
  void aDisposalThatBeginsAsAnotherOneIsDueDisposesOfWhatGoesNext() {
    model.removal = "s3://old";

    lane.delete();
    lane.untilClosed();

    assertThat(model.disposed).containsExactly("s3://old");
    assertThat(model.lastMessage())
        .isEqualTo("The savepoint s3://old is disposed of: its files are gone");
    assertThat(model.removal).isNull();
    assertThat(model.triggers).isEmpty();

    // when the controller starts what is due
    lane.untilRest();
    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
  }

  @ParameterizedTest
  @EnumSource
  void itIsApartFromTheLaneOfOperations(SnapshotType type) {
    ResourceRef of = StatusLane.of(ORDERS, type);

    assertThat(of.laneId())
        .isEqualTo("FlinkDeployment-" + type.word() + "_default_orders_12345678");
    assertThat(StatusLane.typeOf(of)).contains(type);
    assertThat(StatusLane.owner(of)).isEqualTo(ORDERS);
    assertThat(StatusLane.typeOf(ORDERS)).isEmpty();
    assertThat(StatusLane.owner(ORDERS)).isEqualTo(ORDERS);
    assertThat(OperationTable.workflowType(of.kind(), OperationType.SNAPSHOT))
        .isEqualTo(Snapshot.TYPE);
  }
}
