package dev.sluice.workflows.activity;

import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.StableAfter;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import org.jspecify.annotations.Nullable;

/**
 * What a workflow asks of a Flink job. All of them wait without holding a thread, look before they
 * act, stop acting when Temporal does not answer their heartbeats, and report progress as
 * heartbeats and, when the wait is long, in {@code status.operation.message}.
 */
@ActivityInterface
public interface JobActivities {

  /**
   * Stops the job with a savepoint. Looks first: an operation with a trigger id of this request
   * that is in progress or done is taken over, never repeated; a job that has ended already is
   * asked for the savepoint that it was stopped with.
   *
   * @return where the savepoint is: a {@link StateRef.Savepoint}; of a job that had ended before,
   *     the newest state that it left: {@link StateRef.Empty} when it had finished by itself, and
   *     possibly a {@link StateRef.Checkpoint} when it had failed or been cancelled
   * @throws io.temporal.failure.ApplicationFailure {@code SavepointFailed} (retryable unless trying
   *     again has no effect; the job was seen running after it), {@code StateNotFound} (the job has
   *     ended and Flink does not know the path any more, or a restarted JobManager began it again),
   *     {@code TimedOut} (what became of the job is not known), {@code Outdated}
   */
  @ActivityMethod(name = "StopWithSavepoint")
  TakenState stopWithSavepoint(StopRequest request);

  /**
   * Cancels the job unless it has ended, and waits until it has.
   *
   * @return its newest state, never {@link StateRef.Unknown}, when the request keeps it; else
   *     {@link StateRef.Empty}
   * @throws io.temporal.failure.ApplicationFailure {@code StateNotFound} (the state is wanted and
   *     cannot be determined; or Flink would delete it with the job, which is then not cancelled),
   *     {@code TimedOut} (what became of the job is not known), {@code Outdated} (also: the job has
   *     progressed, and was to be cancelled only if it had not)
   */
  @ActivityMethod(name = "CancelJob")
  TakenState cancelJob(CancelRequest request);

  /**
   * Waits until every task of the job is up (running or finished), or the job has finished, then
   * checks what the job says it was restored from.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code JobFailed}, {@code ClusterNotReady},
   *     {@code ImagePullFailed}, {@code PodFailed}, {@code RestoredElsewhere}, {@code OtherJobs},
   *     {@code Outdated}
   */
  @ActivityMethod(name = "AwaitRunning")
  RunningJob awaitRunning(AwaitRunningRequest request);

  /**
   * Waits until every task of a job has run without a restart for as long as is asked for, by
   * Flink's own times, so that nothing is missed that happened while no worker looked. What the
   * resource asks for now wins over the request. A job that has finished is stable.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code NotStable} (it is given up), {@code
   *     JobManagerSilent}, {@code JobFailed}, {@code ImagePullFailed}, {@code PodFailed}, {@code
   *     OtherJobs}, {@code Outdated}
   */
  @ActivityMethod(name = "AwaitStable")
  StableJob awaitStable(AwaitStableRequest request);

  /**
   * @param resource whose job
   * @param job the job that was started
   * @param wanted what was asked for when the target was frozen
   * @param startMs how long a start may take until every task is up, in ms
   * @param deadlineMs when the job is given up, ms since the epoch; time without an answer of Flink
   *     comes on top
   */
  record AwaitStableRequest(
      ResourceRef resource, JobRef job, StableAfter wanted, long startMs, long deadlineMs)
      implements ResourceRequest {

    /**
     * For how long a job may be away from its time without a restart before it is given up, in ms:
     * one that has to begin anew once is in time.
     */
    public static long patienceMs(StableAfter asked, long startMs) {
      return 2 * asked.quietMs() + startMs;
    }
  }

  /**
   * @param jobId the job
   * @param why it is stable: {@code 2 min without a restart}
   */
  record StableJob(String jobId, String why) {}

  /**
   * @param resource whose job
   * @param job the job to stop; a cluster that was made for another one fails as {@code Outdated}
   * @param triggerId 32 hex digits, fixed before the first call; the trigger id of attempt n is
   *     derived from it
   * @param sinceMs when the stop began, ms since the epoch: a job that began later, without high
   *     availability, may have been stopped before
   * @param deadlineMs give up at this time, ms since the epoch; time spent waiting for one of the
   *     limited savepoint slots comes on top
   * @param last whether the job is given up permanently, so that it may be drained if the spec asks
   *     for that: a job that was drained cannot go on from its savepoint as if nothing had been
   */
  record StopRequest(
      ResourceRef resource,
      JobRef job,
      String triggerId,
      long sinceMs,
      long deadlineMs,
      boolean last)
      implements ResourceRequest {

    /** The job goes on from its savepoint. */
    public StopRequest(
        ResourceRef resource, JobRef job, String triggerId, long sinceMs, long deadlineMs) {
      this(resource, job, triggerId, sinceMs, deadlineMs, false);
    }
  }

  /**
   * @param resource whose job
   * @param job the job to cancel; a cluster that was made for another one fails as {@code Outdated}
   * @param onlyIf what must be so when it is cancelled
   * @param begunAtMs start of the job whose progress is wanted, see {@link
   *     dev.sluice.workflows.model.JobObservation.Alive}; 0 when that does not matter
   * @param deadlineMs give up at this time, ms since the epoch
   */
  record CancelRequest(
      ResourceRef resource, JobRef job, OnlyIf onlyIf, long begunAtMs, long deadlineMs)
      implements ResourceRequest {

    /** The start of the job does not matter. */
    public CancelRequest(ResourceRef resource, JobRef job, OnlyIf onlyIf, long deadlineMs) {
      this(resource, job, onlyIf, 0, deadlineMs);
    }

    /** When a job may be cancelled. */
    public enum OnlyIf {
      /** Always: its state is not wanted. */
      ANY_CASE,
      /** Its newest state is wanted, and Flink keeps it. */
      STATE_IS_KEPT,
      /**
       * The same, and its newest state is one of its own: what it was started from is not enough,
       * because it was seen to have progressed. Nor is what it has done since it was begun again
       * without high availability.
       */
      PROGRESS_IS_KEPT,
      /** It has completed no checkpoint or savepoint since its start. */
      NOT_PROGRESSED;

      /** Whether its newest state is wanted. */
      public boolean keepsState() {
        return this == STATE_IS_KEPT || this == PROGRESS_IS_KEPT;
      }
    }
  }

  /**
   * @param state what is left of the job
   * @param how one line: how it was found, e.g. {@code savepoint in 0.4 s}
   * @param savepoint the same, where Flink says that this request took it; null where it may be
   *     somebody else's, and where it is none
   */
  record TakenState(StateRef state, String how, @Nullable Savepoint savepoint) {

    /** It is not known to be of this request. */
    public TakenState(StateRef state, String how) {
      this(state, how, null);
    }
  }

  /**
   * @param resource whose job
   * @param job the job that was started
   * @param restoredFrom what it must say it was restored from
   * @param deadlineMs give up at this time, ms since the epoch
   */
  record AwaitRunningRequest(
      ResourceRef resource, JobRef job, StateRef restoredFrom, long deadlineMs)
      implements ResourceRequest {}

  /**
   * @param jobId the job
   * @param tasks {@code 3 running + 1 finished of 4 tasks}
   * @param restoredFrom what the job says it was restored from; null when it started empty
   */
  record RunningJob(String jobId, String tasks, @Nullable String restoredFrom) {}
}
