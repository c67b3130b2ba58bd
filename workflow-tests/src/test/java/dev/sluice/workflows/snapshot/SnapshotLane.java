package dev.sluice.workflows.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationProgress;
import dev.sluice.workflows.simulation.ActivityWorker;
import dev.sluice.workflows.simulation.SimulatedTemporal;
import dev.sluice.workflows.simulation.WorkflowWorker;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import org.jspecify.annotations.Nullable;

/** The lane of one snapshot on a simulated Temporal, and its controller. */
final class SnapshotLane {

  private static final int ENDLESS = 150;

  private final SnapshotModel model;
  private final SimulatedTemporal temporal;
  private final ResourceRef ref;
  private int starts;
  private int runs;

  SnapshotLane(WorkflowWorker workflows, SnapshotModel model, String name) {
    this(
        workflows,
        model,
        new ResourceRef("model", "FlinkStateSnapshot", "default", name, "uid-" + name));
  }

  /** Of what is taken without a resource. */
  static SnapshotLane ofStatus(WorkflowWorker workflows, SnapshotModel model, String name) {
    return new SnapshotLane(
        workflows,
        model,
        StatusLane.of(
            new ResourceRef("model", "FlinkDeployment", "default", name, "uid-" + name),
            SnapshotType.SAVEPOINT));
  }

  private SnapshotLane(WorkflowWorker workflows, SnapshotModel model, ResourceRef ref) {
    this.model = model;
    this.ref = ref;
    this.temporal =
        new SimulatedTemporal(
            workflows,
            new ActivityWorker(model, SnapshotActivities.class),
            ref.laneId(),
            ended -> runs++);
  }

  /** How many runs have ended. */
  int runs() {
    return runs;
  }

  SimulatedTemporal temporal() {
    return temporal;
  }

  /** Nothing is deleted without a resource: the signal was sent by hand. */
  void delete() {
    model.deleting = StatusLane.typeOf(ref).isEmpty();
    temporal.signalWithStart(
        Snapshot.TYPE, OperationInput.of(ref, 1, "deleted"), LaneSignals.DELETE);
  }

  /** As the controller does as soon as the status asks for something. */
  void wanted() {
    temporal.signalWithStart(
        Snapshot.TYPE, OperationInput.of(ref, 1, "wanted"), LaneSignals.RETARGET, 1L);
  }

  void abort() {
    temporal.signal(LaneSignals.ABORT, "enough");
  }

  @Nullable OperationProgress progress() {
    return temporal.query(LaneSignals.PROGRESS, OperationProgress.class);
  }

  /** Does what the controller does, and lets the runs go on until nothing is to be done. */
  void untilRest() {
    while (controller()) {
      untilClosed();
    }
  }

  /** Lets the run that is open go on to its end. */
  void untilClosed() {
    while (isOpen()) {
      assertThat(temporal.step()).as("something is due after %s", model.steps).isTrue();
      assertThat(model.steps).as("comes to an end").hasSizeLessThan(ENDLESS);
    }
    assertThat(temporal.status())
        .as("after %s", model.steps)
        .isNotEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED);
  }

  /** Starts the run if none is open, and lets it go on until it waits in that pause. */
  void untilPause(String named) {
    boolean unused = controller();
    while (!String.valueOf(progress()).contains(named)) {
      assertThat(temporal.step()).as("there is a %s after %s", named, model.steps).isTrue();
    }
    temporal.settle();
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
      if (isDisposed() || (!hasFiles() && !isUnderway())) {
        model.exists = false;
        return isOpen();
      }
      delete();
      return true;
    }
    if (model.record.stateOrPending().isFinal()) {
      return isOpen();
    }
    wanted();
    return true;
  }

  private boolean isDisposed() {
    return !model.reports.isEmpty()
        && model.reports.get(model.reports.size() - 1).run().operation().equals("Delete")
        && model.operation() != OperationState.RUNNING
        && model.operation() != OperationState.BLOCKED;
  }

  private boolean hasFiles() {
    boolean known = model.record.state() == SnapshotState.COMPLETED;
    return model.disposes && (known || model.record.isInFlight());
  }

  private boolean isUnderway() {
    return isOpen() || (!model.record.stateOrPending().isFinal() && !model.steps.isEmpty());
  }
}
