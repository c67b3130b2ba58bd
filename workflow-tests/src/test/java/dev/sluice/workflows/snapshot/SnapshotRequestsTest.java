package dev.sluice.workflows.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.simulation.WorkflowWorker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What abort and retry do to a snapshot, at any moment. */
class SnapshotRequestsTest {

  private final WorkflowWorker workflows =
      new WorkflowWorker(SnapshotWorkflow.class, DisposeSnapshotWorkflow.class);
  private final SnapshotModel model = new SnapshotModel();
  private final SnapshotLane lane = new SnapshotLane(workflows, model, "before-the-change");

  @AfterEach
  void noRuleIsBroken() {
    workflows.close();
    assertThat(model.violations).isEmpty();
  }

  @Test
  void anAbortEndsTheWaitForTheJob() {
    model.notUp = 1_000;
    model.script =
        (call, step, after) -> {
          if (model.operation() == OperationState.BLOCKED) {
            lane.abort();
          }
        };

    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.ABANDONED);
    assertThat(model.triggers).isEmpty();
  }

  @Test
  void aFailedOneIsTriedOnceMoreByRetry() {
    model.failuresAllowed = 0;
    model.failing = 1;
    lane.untilRest();
    assertThat(model.record.state()).isEqualTo(SnapshotState.FAILED);

    lane.retry();
    lane.untilClosed();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.triggers).hasSize(2).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRetryThatComesBeforeTheRunClosesIsAnswered(boolean aborted) {
    model.failuresAllowed = 0;
    model.failing = 1;
    model.script =
        (call, step, after) -> {
          if (aborted && step.equals("TakeSnapshot") && !after) {
            lane.abort();
          }
          if (step.equals("RecordSnapshot") && after && model.record.state().isFinal()) {
            model.script = (c, s, a) -> {};
            lane.temporal().signal("retry");
          }
        };

    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
  }

  @Test
  void aRetryFromBeforeItFailedIsVoid() {
    model.failuresAllowed = 0;
    model.failing = 1;
    model.script =
        (call, step, after) -> {
          if (step.equals("TakeSnapshot") && !after) {
            lane.temporal().signal("retry");
          }
        };

    lane.untilRest();

    assertThat(model.record.state()).isEqualTo(SnapshotState.FAILED);
  }

  /** Flink would answer with what the aborted attempt took before the retry was asked for. */
  @Test
  void aRetryAfterAnAbortTakesASavepointOfItsOwn() {
    model.silent = 1;
    model.script =
        (call, step, after) -> {
          if (step.equals("TakeSnapshot") && !after) {
            lane.abort();
          }
        };
    lane.untilRest();
    assertThat(model.record.state()).isEqualTo(SnapshotState.ABANDONED);
    assertThat(model.record.error()).contains("Flink may still complete what was triggered");
    String aborted = model.record.trigger().id();

    model.script = (call, step, after) -> {};
    lane.retry();
    lane.untilClosed();

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.record.trigger().id()).isNotEqualTo(aborted);
  }

  @Test
  void aCompletedOneIsNotTakenAgainByRetry() {
    lane.untilRest();

    lane.retry();
    lane.untilClosed();

    assertThat(model.triggers).hasSize(1);
    assertThat(model.record.path()).isEqualTo("s3://savepoints/1");
  }

  /** How long it lasts at most until the run goes on: no pause is shorter than 10 s. */
  private static final long AT_ONCE_MS = 1_000;

  private long lasts(Runnable request) {
    long before = lane.temporal().now();
    request.run();
    lane.untilClosed();
    return lane.temporal().now() - before;
  }

  @Test
  void aRetryInAPauseMakesTheNextAttemptAtOnce() {
    model.failing = 7;
    lane.untilPause("failed. Retrying in 600 s");

    assertThat(lasts(() -> lane.temporal().signal("retry"))).isLessThan(AT_ONCE_MS);

    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.record.failures()).isEqualTo(7);
    assertThat(model.triggers).hasSize(8).doesNotHaveDuplicates();
  }

  /** The status says that there is a pause before the run is in it. */
  @Test
  void aRetryThatComesAsSoonAsThePauseIsToldMakesTheNextAttemptAtOnce() {
    model.failing = 1;
    model.script =
        (call, step, after) -> {
          if (step.equals("RecordSnapshot") && after && model.record.failures() == 1) {
            model.script = (c, s, a) -> {};
            lane.temporal().signal("retry");
          }
        };

    long before = lane.temporal().now();
    lane.untilRest();

    assertThat(lane.temporal().now() - before).isLessThan(AT_ONCE_MS);
    assertThat(model.record.state()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(model.triggers).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  void anAbortInAPauseEndsItAtOnce() {
    model.failing = 7;
    lane.untilPause("failed. Retrying in 600 s");

    assertThat(lasts(lane::abort)).isLessThan(AT_ONCE_MS);

    assertThat(model.record.state()).isEqualTo(SnapshotState.ABANDONED);
    assertThat(model.triggers).hasSize(7);
  }

  @Test
  void aDeletionInAPauseIsDoneAtOnce() {
    model.failing = 7;
    lane.untilPause("failed. Retrying in 600 s");

    assertThat(lasts(lane::delete)).isLessThan(AT_ONCE_MS);

    assertThat(model.operation()).isEqualTo(OperationState.SUCCEEDED);
    assertThat(model.triggers).hasSize(7);
  }
}
