package dev.sluice.workflows.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.simulation.WorkflowWorker;
import dev.sluice.workflows.snapshot.SnapshotActivities.Disposal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a savepoint whose resource is deleted. */
class SnapshotDisposalTest {

  private final WorkflowWorker workflows = new WorkflowWorker(SnapshotWorkflow.class);
  private final SnapshotModel model = new SnapshotModel();
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

  /** FLINK-39439: what could not be disposed of was forgotten, and its files stayed unnamed. */
  @Test
  void aDisposalThatComesToNoEndIsLeftAndNamed() {
    lane.untilRest();
    model.disposalHangs = true;

    lane.delete();
    lane.untilRest();

    assertThat(model.disposed).isEmpty();
    assertThat(model.exists).isFalse();
    assertThat(model.lastMessage()).contains("s3://savepoints/1 is left: storage is away");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSavepointInFlightIsDisposedOfOrNamed(boolean replaced) {
    model.silent = 1;
    model.script =
        (call, step, after) -> {
          if (step.equals("TakeSnapshot") && !after && !model.deleting) {
            lane.delete();
          }
          if (step.equals("ObserveSnapshot") && model.deleting && replaced) {
            model.job = "0123456789abcdef0123456789abcdef";
          }
        };

    lane.untilRest();

    assertThat(model.exists).isFalse();
    assertThat(model.disposed).hasSize(replaced ? 0 : 1);
    assertThat(model.lastMessage()).contains(replaced ? "Its files may remain: " : "is deleted");
    assertThat(model.reports.get(model.reports.size() - 1).event())
        .isEqualTo(replaced ? "CleanupFailed" : "Cleanup");
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
  void whereNobodyCanDeleteTheFilesTheyAreLeftAtOnce() {
    lane.untilRest();
    model.instead = new Disposal.Left("FlinkDeployment default/orders does not exist");

    lane.delete();
    lane.untilRest();

    assertThat(model.exists).isFalse();
    assertThat(model.lastMessage()).contains("s3://savepoints/1 is left");
    assertThat(model.steps).containsOnlyOnce("DisposeSavepoint");
  }
}
