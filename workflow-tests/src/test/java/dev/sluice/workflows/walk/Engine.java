package dev.sluice.workflows.walk;

import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.OperationInput;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import org.jspecify.annotations.Nullable;

/** What lanes ask of the Temporal that carries out their runs. */
interface Engine {

  /** As the controller does it: starts the operation, or reaches the run that is open. */
  void signalWithStart(
      ResourceRef ref, String operation, OperationInput input, String signal, Object... arguments);

  /** Nothing when no run is open. */
  void signal(ResourceRef ref, String name, Object... arguments);

  /** Nothing when no run is open. */
  void cancel(ResourceRef ref);

  /** The run that was open; null when none was. */
  @Nullable String terminate(ResourceRef ref);

  /** How the newest run of the lane stands. */
  WorkflowExecutionStatus status(ResourceRef ref);

  /** The worker that has the open run in memory is lost. */
  void forget(ResourceRef ref);

  /** Temporal suggests that the open run continues as new. */
  default void historyIsLong(ResourceRef ref) {
    throw new UnsupportedOperationException("only a simulated Temporal says so when it is told to");
  }

  /**
   * Returns when the run has taken in what it was sent, and has made of it what it will at once.
   */
  void settle(ResourceRef ref);

  /** Whether nobody waits any more for the activity that asks. */
  boolean isActivityUnwanted(ResourceRef ref);
}
