package dev.sluice.workflows.walk;

import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationProgress;
import dev.sluice.workflows.simulation.SimulatedTemporal;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import org.jspecify.annotations.Nullable;

/** The lane of one resource on a Temporal of its own. */
record SimulatedLane(SimulatedTemporal temporal) implements Engine {

  @Override
  public void signalWithStart(
      ResourceRef ref, String operation, OperationInput input, String signal, Object... arguments) {
    temporal.signalWithStart(operation, input, signal, arguments);
  }

  @Override
  public void signal(ResourceRef ref, String name, Object... arguments) {
    temporal.signal(name, arguments);
  }

  @Override
  public void cancel(ResourceRef ref) {
    temporal.cancel();
  }

  @Override
  public @Nullable String terminate(ResourceRef ref) {
    return temporal.terminate() ? temporal.runId() : null;
  }

  @Override
  public void forget(ResourceRef ref) {
    temporal.forget();
  }

  @Override
  public void settle(ResourceRef ref) {
    temporal.settle();
  }

  @Override
  public boolean isActivityUnwanted(ResourceRef ref) {
    return temporal.isActivityUnwanted();
  }

  /** What the run says of itself; null when none is open. */
  @Nullable OperationProgress progress() {
    return temporal.query(LaneSignals.PROGRESS, OperationProgress.class);
  }

  /** Whether a run is open. */
  boolean isOpen() {
    return temporal.status() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
  }
}
