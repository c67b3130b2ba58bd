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
  String ROLLBACK = "rollback";
  String RETRY = "retry";
  String DELETE = "delete";
  String PROGRESS = "progress";

  /**
   * There is a newer generation of the resource. Taken up at the next safe point; an older one than
   * already known is ignored.
   */
  @SignalMethod(name = RETARGET, description = "Upgrade to this generation at the next safe point")
  void retarget(long generation);

  /** Stop at the next safe point and leave the resource as it was before this operation. */
  @SignalMethod(
      name = ABORT,
      description =
          "Stop at the next safe point; the old spec runs on, or is restored with its state")
  void abort(String reason);

  /**
   * Go back to the spec before, as {@code sluice.dev/rollback} says: an abort as long as the
   * operation is in flight, and a Rollback after it when it has reached its target already.
   */
  @SignalMethod(
      name = ROLLBACK,
      description = "Abort, or roll back once the operation is at its end")
  void rollback(String reason);

  /** Observe and decide again now. Nothing happens when the run is neither blocked nor parked. */
  @SignalMethod(name = RETRY, description = "Retry a blocked or parked run now")
  void retry();

  /** The resource is being deleted: leave what is in flight and hand the lane to Delete. */
  @SignalMethod(
      name = DELETE,
      description = "Delete what the resource made, if kubectl delete has marked it")
  void delete();

  /** The steps done, the step in flight, and what the run waits for. */
  @QueryMethod(name = PROGRESS, description = "Steps done, the step in flight, what it waits for")
  OperationProgress progress();
}
