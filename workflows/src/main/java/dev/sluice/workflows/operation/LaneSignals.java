package dev.sluice.workflows.operation;

import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;

/**
 * What every run on a lane understands, whatever its operation. The controller sends these, and so
 * can users from Temporal's Web UI or CLI.
 */
public interface LaneSignals {

  String RETARGET = "retarget";
  String ABORT = "abort";
  String RETRY = "retry";
  String DELETE = "delete";
  String PROGRESS = "progress";

  /**
   * There is a newer generation of the resource. Taken up at the next safe point; an older one than
   * already known is ignored.
   */
  @SignalMethod(name = RETARGET, description = "Go for this generation at the next safe point")
  void retarget(long generation);

  /** Stop at the next safe point and leave the resource as it was before this operation. */
  @SignalMethod(
      name = ABORT,
      description =
          "Stop at the next safe point; the old spec runs on, or is restored with its state")
  void abort(String reason);

  /** Try again the step that this run is parked at. Nothing happens when it is not parked. */
  @SignalMethod(name = RETRY, description = "Try the step again that this run is parked at")
  void retry();

  /** The resource is being deleted: give up what is in flight and hand the lane to Delete. */
  @SignalMethod(name = DELETE, description = "Give up and delete all that the resource made")
  void delete();

  /** The steps done, the step in flight, and what the run waits for. */
  @QueryMethod(name = PROGRESS, description = "Steps done, the step in flight, what it waits for")
  OperationProgress progress();
}
