package dev.sluice.workflows.snapshot;

import static dev.sluice.api.snapshot.SnapshotState.IN_PROGRESS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.simulation.WorkflowWorker;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a savepoint whose resource is deleted. */
class SnapshotDisposalTest {

  private final WorkflowWorker workflows =
      new WorkflowWorker(SnapshotWorkflow.class, DisposeSnapshotWorkflow.class);
  private final SnapshotModel model = new SnapshotModel();
  private SnapshotRecord record = SnapshotRecord.NONE;
  private final SnapshotLane lane = new SnapshotLane(workflows, model, "before-the-change");

  @AfterEach
  void noRuleIsBroken() {
    workflows.close();
    assertThat(model.violations).isEmpty();
  }

  @Test
  void deletionDisposesOfTheSavepoint() {
    lane.untilRest();

    lane.delete();
    lane.untilRest();

    assertThat(model.disposed).containsExactly("s3://savepoints/1");
    assertThat(model.exists).isFalse();
  }

  /** FLINK-39439: what could not be disposed of at once was forgotten, and its files stayed. */
  @ParameterizedTest
  @CsvSource({"1,true", "2,true", "3,false", "100,false"})
  void aDisposalThatFailsIsTriedThreeTimesAndThenLeft(int fails, boolean gone) {
    lane.untilRest();
    model.disposalFails = fails;

    lane.delete();
    lane.untilRest();

    assertThat(model.disposed).hasSize(gone ? 1 : 0);
    assertThat(model.exists).isFalse();
    assertThat(model.lastMessage()).contains(gone ? "is deleted" : "is left");
  }

  /** Else the rest would stay for ever, and nobody be told. */
  @Test
  void whatWasDeletedInPartIsTold() {
    lane.untilRest();
    model.disposalFailsInPart = 1;

    lane.delete();
    lane.untilRest();

    assertThat(model.exists).isFalse();
    assertThat(model.lastMessage())
        .isEqualTo(
            "The savepoint was deleted in part; what is left is at s3://savepoints/1, and nothing"
                + " can be started from it: one file cannot be deleted");
    assertThat(model.reports.get(model.reports.size() - 1).event()).isEqualTo("CleanupFailed");
  }

  @Test
  void eachAttemptKnowsWhetherFlinkMayHaveBeenAskedBefore() {
    lane.untilRest();
    model.disposalFails = 2;

    lane.delete();
    lane.untilRest();

    assertThat(model.disposals)
        .extracting(SnapshotActivities.DisposeRequest::askedBefore)
        .containsExactly(false, true, true);
  }

  /** So that each is asked before one is asked again. */
  @Test
  void eachAttemptKnowsThroughWhichOtherClustersItHasFailed() {
    lane.untilRest();
    model.disposalFails = 2;
    model.disposers.addAll(List.of("one", "other"));

    lane.delete();
    lane.untilRest();

    assertThat(model.disposals)
        .extracting(SnapshotActivities.DisposeRequest::failedThrough)
        .containsExactly(List.of(), List.of("one"), List.of("one", "other"));
  }

  @Test
  void betweenTheAttemptsToDisposeArePauses() {
    lane.untilRest();
    model.disposalFails = 2;

    lane.delete();
    long before = lane.temporal().now();
    lane.untilRest();

    assertThat(lane.temporal().now() - before).isBetween(30_000L, 40_000L);
    assertThat(model.disposed).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSavepointInFlightThatNobodyTellsOfMayBeLeft(boolean replaced) {
    model.silent = 1;
    model.script =
        (call, step, after) -> {
          if (step.equals("TakeSnapshot") && after && !model.deleting) {
            model.taken.clear();
            model.job = replaced ? "0123456789abcdef0123456789abcdef" : model.job;
            lane.delete();
          }
        };

    lane.untilRest();

    assertThat(model.exists).isFalse();
    assertThat(model.lastMessage()).contains("was being taken. Its files may remain: ");
    assertThat(model.reports.get(model.reports.size() - 1).event()).isEqualTo("CleanupFailed");
  }

  /** How a savepoint is given up that Flink has completed all the same. */
  private enum GivenUp {
    ABORTED(SnapshotState.ABANDONED),
    ITS_JOB_IS_GONE(SnapshotState.ABANDONED),
    ITS_JOB_IS_BROUGHT_BACK(SnapshotState.FAILED),
    INTERRUPTED(SnapshotState.TRIGGER_PENDING);

    private final SnapshotState as;

    GivenUp(SnapshotState as) {
      this.as = as;
    }
  }

  private void givenUp(GivenUp how) {
    String job = model.job;
    model.silent = 1;
    model.failuresAllowed = 0;
    model.recovered = how == GivenUp.ITS_JOB_IS_BROUGHT_BACK;
    model.script =
        (call, step, after) -> {
          if (step.equals("TakeSnapshot") && after && model.record.state() == IN_PROGRESS) {
            switch (how) {
              case ABORTED -> lane.abort();
              case ITS_JOB_IS_GONE -> {
                model.noJob = "FlinkDeployment default/orders is suspended";
                model.job = "the next";
              }
              case ITS_JOB_IS_BROUGHT_BACK, INTERRUPTED -> model.job = "the next";
            }
          }
          if (step.equals("RecordSnapshot")
              && after
              && model.record.state() == how.as
              && model.record.inDoubt()) {
            record = model.record;
            model.script = (it, is, over) -> {};
            model.job = job;
            if (how == GivenUp.INTERRUPTED) {
              lane.delete();
            }
          }
        };
    lane.untilRest();
  }

  @ParameterizedTest
  @EnumSource
  void whatWasTriggeredAndGivenUpIsLookedForAndDisposedOf(GivenUp how) {
    givenUp(how);

    lane.delete();
    lane.untilRest();

    assertThat(record.state()).isEqualTo(how.as);
    assertThat(record.inDoubt()).isTrue();
    assertThat(record.path()).isNull();
    assertThat(model.disposed).containsExactly("s3://savepoints/1");
    assertThat(model.exists).isFalse();
  }

  @ParameterizedTest
  @EnumSource(names = {"ABORTED", "ITS_JOB_IS_GONE", "ITS_JOB_IS_BROUGHT_BACK"})
  void whereItsJobIsGoneItIsToldWhereItMayBe(GivenUp how) {
    givenUp(how);
    model.job = "another";

    lane.delete();
    lane.untilRest();

    assertThat(model.disposed).isEmpty();
    assertThat(model.exists).isFalse();
    assertThat(model.lastMessage()).contains("Its files may remain: ", "see in s3://savepoints");
    assertThat(model.reports.get(model.reports.size() - 1).event()).isEqualTo("CleanupFailed");
  }

  /** Whoever aborted it was told that its files are left until the resource goes. */
  @Test
  void whatAnAbortedAttemptTookIsDisposedOfWithWhatTheNextOneTook() {
    givenUp(GivenUp.ABORTED);
    lane.retry();
    lane.untilRest();
    assertThat(model.record.path()).isEqualTo("s3://savepoints/2");

    lane.delete();
    lane.untilRest();

    assertThat(model.disposed).containsExactly("s3://savepoints/1", "s3://savepoints/2");
    assertThat(model.exists).isFalse();
    assertThat(model.lastMessage()).contains("s3://savepoints/1", "s3://savepoints/2");
  }

  @Test
  void whatAnAbortedAttemptMayHaveTakenIsToldWhereNobodyKnows() {
    givenUp(GivenUp.ABORTED);
    lane.retry();
    lane.untilRest();
    model.taken.values().remove("s3://savepoints/1");

    lane.delete();
    lane.untilRest();

    assertThat(model.disposed).containsExactly("s3://savepoints/2");
    assertThat(model.lastMessage()).contains("Files of an earlier attempt may remain: ");
    assertThat(model.reports.get(model.reports.size() - 1).event()).isEqualTo("CleanupFailed");
  }

  @Test
  void whatFlinkSaysHasFailedIsNotLookedFor() {
    model.failing = 1;
    model.failuresAllowed = 0;
    lane.untilRest();
    assertThat(model.record.state()).isEqualTo(SnapshotState.FAILED);
    int steps = model.steps.size();

    model.deleting = true;
    lane.untilRest();

    assertThat(model.steps).hasSize(steps);
    assertThat(model.exists).isFalse();
  }

  @Test
  void theFilesOfOneThatWasGivenUpAreLeftWhereTheResourceSaysSo() {
    model.disposes = false;
    givenUp(GivenUp.ABORTED);

    model.deleting = true;
    lane.untilRest();

    assertThat(model.disposed).isEmpty();
    assertThat(model.exists).isFalse();
  }

  @Test
  void whereNobodyCanDeleteTheFilesTheyAreLeftAtOnce() {
    lane.untilRest();
    model.instead = new Disposal.Impossible("FlinkDeployment default/orders does not exist");

    lane.delete();
    lane.untilRest();

    assertThat(model.exists).isFalse();
    assertThat(model.lastMessage()).contains("s3://savepoints/1 is left");
    assertThat(model.steps).containsOnlyOnce("DisposeSavepoint");
  }

  /** Of two snapshots of one path one tries, and may fail: the other one does not know. */
  @Test
  void whatAnotherSnapshotIsToDeleteIsNotSaidToBeGone() {
    lane.untilRest();
    model.instead = new Disposal.LeftTo("FlinkStateSnapshot default/other");

    lane.delete();
    lane.untilRest();

    assertThat(model.exists).isFalse();
    assertThat(model.lastMessage())
        .isEqualTo("The savepoint s3://savepoints/1 is left to FlinkStateSnapshot default/other");
    assertThat(model.disposed).isEmpty();
  }
}
