package dev.sluice.workflows.job;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/**
 * What a workflow asks of a running Flink job. All of them wait without holding a thread and report
 * their progress as heartbeats.
 */
@ActivityInterface
public interface JobActivities {

  /**
   * Stops the job with a savepoint. Looks first: an operation with a trigger id of this request
   * that is in progress or done is taken over, never repeated.
   *
   * @return where the savepoint is
   * @throws io.temporal.failure.ApplicationFailure {@code SavepointFailed} (retryable; the job runs
   *     on), {@code StateNotFound} (the job is stopped and the path is lost), {@code TimedOut}
   */
  @ActivityMethod(name = "StopWithSavepoint")
  StateTaken stopWithSavepoint(StopRequest request);

  /**
   * Cancels the job unless it has ended, waits until it has, and tells its newest state.
   *
   * @return its newest savepoint or checkpoint, {@link StateTaken#path} null when it has none or
   *     {@link CancelRequest#keepState} is false
   * @throws io.temporal.failure.ApplicationFailure {@code StateNotFound} (the state is wanted, and
   *     the JobManager does not know the job any more), {@code TimedOut}
   */
  @ActivityMethod(name = "CancelJob")
  StateTaken cancelJob(CancelRequest request);

  /**
   * Waits until every task of the job runs, then checks what the job says it was restored from.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code JobFailed}, {@code ClusterNotReady},
   *     {@code RestoredElsewhere}
   */
  @ActivityMethod(name = "AwaitRunning")
  RunningJob awaitRunning(AwaitRunningRequest request);
}
