package dev.sluice.workflows.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationProgress;
import dev.sluice.workflows.simulation.ActivityWorker;
import dev.sluice.workflows.simulation.SimulatedTemporal;
import dev.sluice.workflows.simulation.WorkflowWorker;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The lane of one FlinkApplication on a simulated Temporal, and its controller. */
final class ApplicationLane {

  private static final int ENDLESS = 600;
  private static final int HELD_LOOKS = 10;

  private final ApplicationModel model;
  private final SimulatedTemporal temporal;
  private final ResourceRef ref;
  private int starts;
  private int resetBack = -1;
  private int helpedAt;
  private boolean wasReset;

  ApplicationLane(WorkflowWorker workflows, ApplicationModel model, String name) {
    this.model = model;
    this.ref = new ResourceRef("model", "FlinkApplication", "default", name, "uid-" + name);
    this.temporal =
        new SimulatedTemporal(
            workflows,
            new ActivityWorker(model, ApplicationActivities.class),
            "FlinkApplication_default_" + name,
            run -> {});
    model.clock = temporal::now;
  }

  SimulatedTemporal temporal() {
    return temporal;
  }

  void retry() {
    model.retryAsked = true;
    temporal.signalWithStart(DeployApplication.TYPE, input("retry").asRetry(), LaneSignals.RETRY);
  }

  void abort() {
    model.aborted = true;
    temporal.signal(LaneSignals.ABORT, "enough");
  }

  void delete() {
    model.deleting = true;
    temporal.signalWithStart(DeleteApplication.TYPE, input("deleted"), LaneSignals.DELETE);
  }

  /** A person changes the spec while a run may be open. */
  void change(ModelSpec next) {
    model.change(next);
    temporal.signal(LaneSignals.RETARGET, model.generation);
  }

  private OperationInput input(String why) {
    return OperationInput.of(ref, model.generation, why);
  }

  @Nullable OperationProgress progress() {
    return temporal.query(LaneSignals.PROGRESS, OperationProgress.class);
  }

  /** The run begins again from an earlier step, as soon as the call that is made has ended. */
  void resets(int stepsBack) {
    resetBack = stepsBack;
  }

  /** Lets runs go on until nothing is to be done, or one is held and sees nothing new. */
  void untilRest() {
    while (controller()) {
      if (!untilClosed()) {
        return;
      }
    }
  }

  /** Lets the run that is open go on to its end; false when it is held. */
  boolean untilClosed() {
    while (isOpen()) {
      assertThat(temporal.step()).as("something is due after %s", model.steps).isTrue();
      reset();
      assertThat(model.steps.size()).as("comes to an end: %s", tail()).isLessThan(ENDLESS);
      if (isHeld()) {
        return false;
      }
    }
    assertThat(temporal.status())
        .as("after %s", model.steps)
        .isNotEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED);
    return true;
  }

  private List<String> tail() {
    int size = model.steps.size();
    return model.steps.subList(Math.max(0, size - 30), size);
  }

  private void reset() {
    if (resetBack < 0 || !isOpen()) {
      return;
    }
    List<Long> points = temporal.resetPoints(temporal.runId());
    if (!points.isEmpty()) {
      int index = resetBack == 0 ? 0 : resetBack == 1 ? points.size() / 2 : points.size() - 1;
      temporal.reset(temporal.runId(), points.get(index), true);
      wasReset = true;
    }
    resetBack = -1;
  }

  /** What was done for a run that is held must show first. */
  void helped() {
    helpedAt = model.steps.size();
  }

  /** Whether the run is held, and has looked again and again without seeing anything new. */
  boolean isHeld() {
    int size = model.steps.size();
    if (size - helpedAt < 2 * HELD_LOOKS || !isOpen()) {
      return false;
    }
    OperationState state = model.operation();
    // a run that was reset has told of it before, and a lost worker may tell what was before
    if (state != OperationState.PARKED
        && state != OperationState.BLOCKED
        && !wasReset
        && !model.hadLate) {
      return false;
    }
    List<String> last = model.steps.subList(size - 2 * HELD_LOOKS, size);
    boolean same =
        IntStream.rangeClosed(1, HELD_LOOKS)
            .anyMatch(
                period ->
                    last.subList(period, last.size())
                        .equals(last.subList(0, last.size() - period)));
    OperationProgress progress = same ? progress() : null;
    return progress != null && progress.held() != null;
  }

  boolean isOpen() {
    return temporal.status() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
  }

  /** As the contract says; false when nothing is needed. */
  private boolean controller() {
    assertThat(++starts).as("starts of runs: %s %s", tail(), model.record).isLessThan(20);
    if (!model.exists) {
      return isOpen();
    }
    if (model.deleting) {
      if (isRemoved()) {
        model.exists = false;
        return isOpen();
      }
      delete();
      return true;
    }
    String type = wanted();
    if (type == null) {
      // what does not answer does so at last
      model.clusters.values().forEach(cluster -> cluster.silent = 0);
      type = wanted();
    }
    if (type == null) {
      return isOpen();
    }
    temporal.signalWithStart(type, input("wanted"), LaneSignals.RETARGET, model.generation);
    return true;
  }

  private @Nullable String wanted() {
    ApplicationRecord record = model.record;
    if (!record.isSettled() || model.isOperationOpen()) {
      return record.phase() == ApplicationPhase.DUAL_RUNNING && record.leaving() != null
          ? TearDownVersion.TYPE
          : DeployApplication.TYPE;
    }
    if (model.lyft != null && record.deployed() == null) {
      return DeployApplication.TYPE;
    }
    boolean newer =
        model.newest().problem() == null && model.generation > record.settledGeneration();
    if (record.phase() == ApplicationPhase.DUAL_RUNNING) {
      String tearDown = model.newest().requests().tearDownHash();
      boolean asked =
          record.deployed() != null
              && record.target() != null
              && (record.deployed().hash().equals(tearDown)
                  || record.target().hash().equals(tearDown));
      boolean pending =
          !model.newest().fullHash().equals(record.deployed().fullHash())
              && !model.newest().fullHash().equals(record.target().fullHash());
      if (asked && model.newest().problem() == null) {
        return TearDownVersion.TYPE;
      }
      return newer && !pending ? DeployApplication.TYPE : lost();
    }
    return newer ? DeployApplication.TYPE : lost();
  }

  private @Nullable String lost() {
    ApplicationSeen seen = model.seen();
    boolean lost =
        (seen.deployed() != null && SettledPlanner.isLost(seen.deployed()))
            || (seen.target() != null && SettledPlanner.isLost(seen.target()));
    return lost ? RecoverApplication.TYPE : null;
  }

  private boolean isRemoved() {
    return !model.reports.isEmpty()
        && model.reports.get(model.reports.size() - 1).run().operation().equals("Delete")
        && model.operation() == OperationState.SUCCEEDED;
  }
}
