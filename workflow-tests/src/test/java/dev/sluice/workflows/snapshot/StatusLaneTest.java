package dev.sluice.workflows.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import dev.sluice.workflows.operation.Ids;
import dev.sluice.workflows.operation.OperationTable;
import dev.sluice.workflows.simulation.WorkflowWorker;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A lane without a FlinkStateSnapshot takes one snapshot after the other. */
class StatusLaneTest {

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
    assertThat(model.reports)
        .filteredOn(it -> "SnapshotRemoved".equals(it.event()))
        .singleElement()
        .extracting(OperationReport::message)
        .isEqualTo("The savepoint s3://old is deleted: its files are gone");
    assertThat(model.removal).isNull();
    // what is due is taken without another signal
    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
  }

  private void once(String step, boolean afterwards, Runnable act) {
    model.script =
        (call, at, after) -> {
          if (at.equals(step) && after == afterwards) {
            model.script = (c, s, a) -> {};
            act.run();
          }
        };
  }

  /** The answer to the signal was lost, and it came twice. */
  @Test
  void anAbortOfTheOneBeforeDoesNotEndTheNext() {
    model.failing = 1;
    once("TakeSnapshot", true, () -> lane.giveUp("uid"));
    lane.untilRest();
    assertThat(model.record.state()).isEqualTo(SnapshotState.ABANDONED);

    another("uid-2");
    once("TakeSnapshot", false, () -> lane.giveUp("uid"));
    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.triggers).hasSize(2);
  }

  @Test
  void anAbortOfTheOneBeforeThatBeginsARunTakesWhatIsDue() {
    another("uid-2");

    lane.giveUp("uid");
    lane.untilClosed();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
  }

  @Test
  void anAbortOfTheOneThatIsTakenEndsItThoughOneOfAnotherCameFirst() {
    model.silent = 1;
    once(
        "TakeSnapshot",
        false,
        () -> {
          lane.giveUp("another");
          lane.giveUp("uid");
        });

    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.ABANDONED);
  }

  /** FLINK-39439: Apache's operator forgets it, and its files stay. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void flink39439WhatCannotBeRemovedStaysInTheHistory(boolean impossible) {
    lane.untilRest();
    model.removal = "s3://old";
    model.disposalFails = impossible ? 0 : 3;
    model.instead = impossible ? new Disposal.Impossible("there is no JobManager") : null;
    // the controller has not noticed yet
    once("RecordDisposal", true, () -> model.removal = "s3://old");

    lane.delete();
    lane.untilClosed();

    assertThat(model.kept).containsExactly("s3://old");
    assertThat(model.forgotten).isEmpty();
    assertThat(model.disposals).hasSize(impossible ? 0 : 3);
    assertThat(model.reports.get(model.reports.size() - 1).event()).isEqualTo("SnapshotError");
    assertThat(model.lastMessage()).endsWith("; the history keeps it, and it is tried again");
  }

  @Test
  void whatIsLeftToAnotherIsForgotten() {
    lane.untilRest();
    model.removal = "s3://old";
    model.instead = new Disposal.LeftTo("a FlinkStateSnapshot");

    lane.delete();
    lane.untilClosed();

    assertThat(model.forgotten).containsExactly("s3://old");
  }

  /** Else the next one begins when the controller happens to look again. */
  @Test
  void whatIsAskedForAfterTheLastRecordIsTakenByTheSameRun() {
    once(
        "RecordSnapshot",
        true,
        () ->
            once(
                "TakeSnapshot",
                true,
                () ->
                    once(
                        "RecordSnapshot",
                        true,
                        () -> {
                          another("uid-2");
                          lane.wanted();
                        })));

    lane.wanted();
    lane.untilClosed();

    assertThat(model.triggers).hasSize(2);
    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.lastMessage()).contains("s3://savepoints/2");
  }

  @Test
  void aRemovalThatIsAskedForAfterTheLastRecordIsCarriedOut() {
    once(
        "TakeSnapshot",
        true,
        () ->
            once(
                "RecordSnapshot",
                true,
                () -> {
                  model.removal = "s3://old";
                  lane.delete();
                }));

    lane.wanted();
    lane.untilClosed();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.disposed).containsExactly("s3://old");
  }

  @Test
  void theNextRemovalAndWhatIsDueFollowOneThatIsDone() {
    model.record = SnapshotRecord.NONE.completed("s3://savepoints/0", 1);
    model.removal = "s3://old";
    once(
        "RecordDisposal",
        true,
        () -> {
          model.removal = "s3://older";
          another("uid-2");
          lane.delete();
        });

    lane.delete();
    lane.untilClosed();

    assertThat(model.disposed).containsExactly("s3://old", "s3://older");
    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.triggers).hasSize(1);
  }

  /** Flink takes both otherwise, and one of them is nobody's. */
  @Test
  void oneThatWasGivenUpInDoubtIsWaitedForByTheNext() {
    model.inDoubt = "00000000000000000000000000000001";
    model.failing = 1;

    lane.untilRest();

    assertThat(model.earlier).containsOnly(List.of(model.inDoubt));
  }

  @Test
  void whatIsReportedIsOfTheOneThatWasSeen() {
    int[] left = {20};
    model.script =
        (call, step, after) -> {
          if (step.equals("RecordSnapshot") && left[0]-- > 0) {
            throw ApplicationFailure.newFailure("connection reset", "IO");
          }
        };

    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.reportedOf).isNotEmpty().containsOnly("uid");
  }

  @ParameterizedTest
  @CsvSource({
    "FlinkDeployment, SAVEPOINT",
    "FlinkDeployment, CHECKPOINT",
    "FlinkSessionJob, SAVEPOINT",
    "FlinkSessionJob, CHECKPOINT"
  })
  void itIsApartFromTheLaneOfOperations(String kind, SnapshotType type) {
    ResourceRef owner = new ResourceRef("k", kind, "default", "orders", "12345678-90ab");
    ResourceRef of = StatusLane.of(owner, type);

    assertThat(of.laneId()).isEqualTo("%s-%s_default_orders_12345678".formatted(kind, type.word()));
    assertThat(StatusLane.typeOf(of)).contains(type);
    assertThat(StatusLane.owner(of)).isEqualTo(owner);
    assertThat(StatusLane.typeOf(owner)).isEmpty();
    assertThat(StatusLane.owner(owner)).isEqualTo(owner);
    assertThat(OperationTable.workflowType(of.kind(), OperationType.SNAPSHOT))
        .isEqualTo(Snapshot.TYPE);
    assertThat(OperationTable.workflowType(of.kind(), OperationType.DELETE))
        .isEqualTo(DisposeSnapshot.TYPE);
  }
}
