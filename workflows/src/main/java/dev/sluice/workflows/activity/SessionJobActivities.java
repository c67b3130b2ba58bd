package dev.sluice.workflows.activity;

import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import org.jspecify.annotations.Nullable;

/**
 * What a workflow does to a job on a session cluster, in place of making and deleting a cluster.
 * The session cluster belongs to another resource: nothing here changes it.
 */
@ActivityInterface
public interface SessionJobActivities {

  /**
   * Waits until the session cluster takes jobs, notes in {@code status.submission} that Flink is
   * about to be asked, and has it run the job under the id of the request. A job that Flink knows
   * by this id is left as it is, also after an answer was lost.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code ClusterNotReady} (the session cluster is
   *     missing, is being upgraded or deleted, or does not answer, until the deadline; or whether
   *     it has taken the job is not known: the next attempt looks), {@code Refused} (the jar cannot
   *     be fetched), {@code JobFailed} (Flink refuses the program, or it failed at once; another
   *     attempt needs another id), {@code Outdated} (another generation is frozen, another job is
   *     recorded to be started, this one has been ended, or another one is noted that was not
   *     ended: it may run), {@code ResourceGone}
   */
  @ActivityMethod(name = "StartJob")
  void startJob(StartJobRequest request);

  /**
   * Fetches the jar of the frozen target, checks it, and throws it away, so that no job is stopped
   * for a jar that cannot be had. Done at once where nobody can fetch it: it is in the image.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code Refused} (the jar cannot be fetched, is
   *     too large, or is another one than its checksum says), {@code Outdated} (another generation
   *     is frozen), {@code ResourceGone}
   */
  @ActivityMethod(name = "CheckJar")
  void checkJar(CheckJarRequest request);

  /**
   * Makes sure, by Flink's own word, that the job does not run any more, and notes that in {@code
   * status.submission}. A job that is alive is cancelled. The jars that were uploaded for it are
   * deleted, so that no run that was sent starts it later. Done at once when that is noted already,
   * when Flink was never asked to run any job, or when the session cluster is gone permanently.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} (Flink was asked to run another
   *     job meanwhile, or what was to stay as observed has changed), {@code ClusterNotGone} (the
   *     job is alive at the deadline, or its cluster does not answer), {@code ResourceGone}
   */
  @ActivityMethod(name = "EndJob")
  void endJob(EndJobRequest request);

  /**
   * @param resource whose job
   * @param job the session cluster, and the job id that was recorded before
   * @param generation the frozen generation that is expected in the status
   * @param restoreFrom what the job starts from; never {@link StateRef.Unknown}
   * @param deadlineMs give up at this time, ms since the epoch
   */
  record StartJobRequest(
      ResourceRef resource, JobRef job, long generation, StateRef restoreFrom, long deadlineMs)
      implements ResourceRequest {}

  /**
   * @param resource whose job
   * @param generation the frozen generation that is expected in the status
   * @param deadlineMs give up at this time, ms since the epoch
   */
  record CheckJarRequest(ResourceRef resource, long generation, long deadlineMs)
      implements ResourceRequest {}

  /**
   * @param resource whose job
   * @param job the session cluster and the job that was observed
   * @param onlyWhile what must still be observed of the job; null for nothing
   * @param deadlineMs give up at this time, ms since the epoch
   */
  record EndJobRequest(
      ResourceRef resource,
      JobRef job,
      ClusterObservation.@Nullable Evidence onlyWhile,
      long deadlineMs)
      implements ResourceRequest {}
}
