package dev.sluice.workflows.activity;

import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.JobsOnCluster;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a workflow does to a Flink cluster on Kubernetes. */
@ActivityInterface
public interface ClusterActivities {

  /**
   * Deletes the JobManager Deployment and the high-availability metadata of the cluster, and waits
   * until no pod of it is left. Touches only what belongs to this instance of the resource, and
   * nothing when that does not exist any more. Nothing there: done at once. Where a job goes on
   * from its metadata, that stays; only the job graphs go, which Flink would run again otherwise.
   * Where the jobs of a session cluster come back, all of it stays.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} (the Deployment was made for a
   *     job or a generation that is not named in the request, what was to stay as observed has
   *     changed, the metadata to keep has no checkpoint, or a session cluster runs jobs against the
   *     request or does not report), {@code ClusterNotGone}, {@code NameTaken}, {@code
   *     ResourceGone}
   */
  @ActivityMethod(name = "DeleteCluster")
  void deleteCluster(DeleteClusterRequest request);

  /**
   * Waits while jobs hold the deletion of a session cluster, by what its newest spec says at every
   * moment. Changes nothing.
   *
   * @return what holds it, as soon as that is not what the request knows; {@link
   *     HeldDeletion#NOTHING} when it may go; at the deadline what the request knows
   * @throws io.temporal.failure.ApplicationFailure {@code ResourceGone}
   */
  @ActivityMethod(name = "AwaitNoJobs")
  HeldDeletion awaitNoJobs(AwaitNoJobsRequest request);

  /**
   * Waits until no FlinkSessionJob has a live job on the session cluster. Changes nothing: each
   * suspends its job by an operation of its own, which begins as long as the status of the session
   * cluster is at this step.
   *
   * @return {@link HeldDeletion#NOTHING} when there is none; what is waited for at the deadline
   * @throws io.temporal.failure.ApplicationFailure {@code ResourceGone}
   */
  @ActivityMethod(name = "SuspendSessionJobs")
  HeldDeletion suspendSessionJobs(SuspendSessionJobsRequest request);

  /**
   * Applies the manifests of the frozen target. A Deployment that carries this generation and job
   * id already is left as it is.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} (no operation is begun, another
   *     generation is frozen, another job is recorded to be started, a cluster of another job is
   *     there, or the metadata that the job is to go on from has no checkpoint), {@code NameTaken},
   *     {@code Refused} (retryable), {@code ResourceGone}
   */
  @ActivityMethod(name = "CreateCluster")
  void createCluster(CreateClusterRequest request);

  /**
   * Waits until the JobManager answers its REST API.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code ClusterNotReady}, {@code
   *     ImagePullFailed}, {@code PodFailed}, {@code Outdated}
   */
  @ActivityMethod(name = "AwaitJobManager")
  void awaitJobManager(AwaitJobManagerRequest request);

  /**
   * @param resource whose cluster
   * @param cluster the cluster
   * @param jobIds the jobs whose Deployment may be deleted; empty: any, because the resource itself
   *     is being deleted
   * @param generation the generation that the Deployment must have been made for; null for any
   * @param onlyWhile what must still be observed of the cluster; null for nothing
   * @param keepMetadataOf the job whose high-availability metadata stays, because it goes on from
   *     that; null for none
   * @param everything also the Services and ConfigMaps that an upgrade keeps: the resource is being
   *     deleted
   * @param endedJob the job that Flink was asked to end, so that it removes the metadata of it by
   *     itself. That is waited for, for 3 s: a JobManager that is to stop meanwhile stops after 5 s
   *     only, and leaves files. Null for none
   * @param jobs what becomes of the jobs on a session cluster; null where the cluster is none
   * @param deadlineMs give up at this time, ms since the epoch
   */
  record DeleteClusterRequest(
      ResourceRef resource,
      ClusterRef cluster,
      Set<String> jobIds,
      @Nullable Long generation,
      ClusterObservation.@Nullable Evidence onlyWhile,
      @Nullable String keepMetadataOf,
      boolean everything,
      @Nullable String endedJob,
      @Nullable JobsOnCluster jobs,
      long deadlineMs)
      implements ResourceRequest {
    /** Copies the set. */
    public DeleteClusterRequest {
      jobIds = Set.copyOf(jobIds);
    }
  }

  /**
   * @param resource whose cluster
   * @param cluster the session cluster
   * @param known what is known to hold its deletion; {@link HeldDeletion#NOTHING} at first
   * @param deadlineMs answer at this time at the latest, ms since the epoch
   */
  record AwaitNoJobsRequest(
      ResourceRef resource, ClusterRef cluster, HeldDeletion known, long deadlineMs)
      implements ResourceRequest {}

  /**
   * @param resource whose cluster
   * @param cluster the session cluster
   * @param known what is known to hold it; {@link HeldDeletion#NOTHING} at first
   * @param deadlineMs answer at this time at the latest, ms since the epoch
   */
  record SuspendSessionJobsRequest(
      ResourceRef resource, ClusterRef cluster, HeldDeletion known, long deadlineMs)
      implements ResourceRequest {}

  /**
   * Why a session cluster is not deleted yet.
   *
   * @param reason {@code OtherJobs}, or {@code ClusterNotReady} while it does not report its jobs;
   *     null when nothing holds the deletion
   * @param message what holds it and what can be done; empty when nothing does
   */
  record HeldDeletion(@Nullable String reason, String message) {
    /** It may be deleted. */
    public static final HeldDeletion NOTHING = new HeldDeletion(null, "");
  }

  /**
   * @param resource whose cluster
   * @param job the cluster, and the job id that was recorded before
   * @param generation the frozen generation that is expected in the status
   * @param restoreFrom what the job starts from; never {@link StateRef.Unknown}
   */
  record CreateClusterRequest(
      ResourceRef resource, JobRef job, long generation, StateRef restoreFrom)
      implements ResourceRequest {}

  /**
   * @param resource whose cluster
   * @param job the cluster, and the job id that its Deployment must carry
   * @param deadlineMs give up at this time, ms since the epoch
   */
  record AwaitJobManagerRequest(ResourceRef resource, JobRef job, long deadlineMs)
      implements ResourceRequest {}
}
