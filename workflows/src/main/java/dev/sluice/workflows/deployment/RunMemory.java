package dev.sluice.workflows.deployment;

import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.plan.GoalPlanner.Tried;
import org.jspecify.annotations.Nullable;

/**
 * What a run remembers of its attempts, beside what the status says. Nothing is lost with it: a run
 * that takes over tries once more what this one has tried.
 */
final class RunMemory {

  private boolean retry;
  private @Nullable String failedStop;
  private @Nullable String lostJob;
  private @Nullable Frozen frozen;

  RunMemory(OperationInput input) {
    this.retry = input.retry();
    this.lostJob = input.lostJob();
  }

  /** What decisions depend on. */
  Tried tried() {
    return new Tried(false, retry, failedStop, lostJob);
  }

  /** Whether a retry was requested, with the run or while it was held, and is not answered. */
  boolean retry() {
    return retry;
  }

  void retry(boolean requested) {
    retry = requested;
  }

  /** Whether the user accepts the job as it is now, whatever became of an earlier stop of it. */
  boolean stopsAnew() {
    return retry && FailureType.STATE_NOT_FOUND.equals(failedStop);
  }

  /** The job could not be stopped, for that reason. */
  void stopFailed(String type) {
    failedStop = type;
  }

  /** Another spec is to be reached: a savepoint that failed may succeed for it. */
  void superseded() {
    retry = false;
    failedStop = FailureType.SAVEPOINT_FAILED.equals(failedStop) ? null : failedStop;
  }

  @Nullable String lostJob() {
    return lostJob;
  }

  /** That job was cancelled, or had ended, and its newest state was not found. */
  void lost(String job) {
    lostJob = job;
  }

  /** The state to go on from is recorded: it was found, or chosen. */
  void recorded() {
    retry = false;
    failedStop = null;
    lostJob = null;
  }

  /** The target as it was frozen, or found frozen, by this run; null before. */
  @Nullable Frozen frozen() {
    return frozen;
  }

  void frozen(@Nullable Frozen target) {
    frozen = target;
  }
}
