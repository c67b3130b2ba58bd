package dev.sluice.workflows.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationProgress;
import dev.sluice.workflows.simulation.ActivityWorker;
import dev.sluice.workflows.simulation.SimulatedTemporal;
import dev.sluice.workflows.simulation.WorkflowWorker;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The lane of one FlinkBlueGreenDeployment on a simulated Temporal, and its controller. */
final class BlueGreenLane {

  private static final int ENDLESS = 400;
  private static final int HELD_LOOKS = 8;
  private static final int WAITING_LOOKS = 60;
  private static final Set<String> WAITING = Set.of("ObserveBlueGreen", "AwaitChild");

  private final BlueGreenModel model;
  private final SimulatedTemporal temporal;
  private final ResourceRef ref;
  private final List<String> ended = new ArrayList<>();
  private int starts;
  private int askedAt;

  BlueGreenLane(WorkflowWorker workflows, BlueGreenModel model, String name) {
    this.model = model;
    this.ref = new ResourceRef("model", "FlinkBlueGreenDeployment", "default", name, "uid-" + name);
    this.temporal =
        new SimulatedTemporal(
            workflows,
            new ActivityWorker(model, BlueGreenActivities.class),
            ref.laneId(),
            ended::add);
    model.clock = temporal::now;
  }

  SimulatedTemporal temporal() {
    return temporal;
  }

  /** The runs that have ended by themselves. */
  List<String> ended() {
    return ended;
  }

  /** Something has happened: that the run saw nothing new before does not count. */
  void looksAnew() {
    askedAt = model.steps.size();
  }

  /** The run is told to try again, or is started to. */
  void retry() {
    looksAnew();
    model.retryAsked = true;
    temporal.signalWithStart(
        Transition.TYPE,
        OperationInput.of(ref, model.generation, "retry").asRetry(),
        LaneSignals.RETRY);
  }

  void abort() {
    looksAnew();
    temporal.signal(LaneSignals.ABORT, "enough");
  }

  void delete() {
    looksAnew();
    model.deleting = true;
    temporal.signalWithStart(
        DeleteBlueGreen.TYPE,
        OperationInput.of(ref, model.generation, "deleted"),
        LaneSignals.DELETE);
  }

  /** As the controller does as soon as the spec asks for something. */
  void wanted() {
    temporal.signalWithStart(
        Transition.TYPE,
        OperationInput.of(ref, model.generation, "wanted"),
        LaneSignals.RETARGET,
        model.generation);
  }

  /** A person changes the spec while a run may be open. */
  void change(ModelSpec next) {
    looksAnew();
    model.change(next);
    temporal.signal(LaneSignals.RETARGET, model.generation);
  }

  @Nullable OperationProgress progress() {
    return temporal.query(LaneSignals.PROGRESS, OperationProgress.class);
  }

  /**
   * Does what the controller does, and lets the runs go on until nothing is to be done, or a run is
   * held and sees nothing new.
   */
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
      assertThat(model.steps).as("comes to an end").hasSizeLessThan(ENDLESS);
      if (isHeld() || isWaiting()) {
        return false;
      }
    }
    assertThat(temporal.status())
        .as("after %s", model.steps)
        .isNotEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED);
    return true;
  }

  /** Whether the run is held, and has looked again and again without seeing anything new. */
  boolean isHeld() {
    int size = model.steps.size();
    if (size - askedAt < HELD_LOOKS || !isOpen()) {
      return false;
    }
    OperationState state = model.operation();
    if (state != OperationState.PARKED && state != OperationState.BLOCKED) {
      return false;
    }
    return model.steps.subList(size - HELD_LOOKS, size).stream().distinct().count() == 1;
  }

  /** Whether the run waits for a child, without a limit, and says so. */
  boolean isWaiting() {
    int size = model.steps.size();
    return size - askedAt >= WAITING_LOOKS
        && isOpen()
        && model.operation() == OperationState.RUNNING
        && WAITING.containsAll(model.steps.subList(size - WAITING_LOOKS, size));
  }

  boolean isOpen() {
    return temporal.status() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
  }

  /** False when nothing is needed. */
  private boolean controller() {
    assertThat(++starts).as("starts of runs after %s", model.steps).isLessThan(20);
    if (!model.exists) {
      return isOpen();
    }
    if (model.deleting) {
      if (isRemoved()) {
        model.exists = false;
        model.children.clear();
        return isOpen();
      }
      delete();
      return true;
    }
    BlueGreenStanding standing = model.standing;
    boolean settled =
        standing.reached() == model.generation || standing.givenUp() == model.generation;
    boolean wanted = model.newest().problem() == null && !settled;
    if (wanted || model.isOperationOpen() || standing.transition() != null) {
      wanted();
      return true;
    }
    return isOpen();
  }

  private boolean isRemoved() {
    return !model.reports.isEmpty()
        && model.reports.get(model.reports.size() - 1).run().operation().equals("Delete")
        && model.operation() == OperationState.SUCCEEDED;
  }
}
