package dev.sluice.workflows.activity;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.ResourceRef;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import org.jspecify.annotations.Nullable;

/**
 * What a workflow does to change the parallelism of a job that runs. No state is read or written,
 * the job keeps its id, and Flink starts its tasks again from the newest completed checkpoint.
 * Every method may be called again at any time with the same arguments.
 */
@ActivityInterface
public interface RescaleActivities {

  /**
   * Whether the job can be brought from the last stable spec to the newest one by another
   * parallelism alone: also whether it has a recent checkpoint, from which Flink starts its tasks
   * again then. Changes nothing.
   *
   * @return what speaks against it, if anything
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} (another generation is the
   *     newest, or the cluster was made for another job), {@code ResourceGone}
   */
  @ActivityMethod(name = "CheckRescale")
  Answer checkRescale(RescaleRequest request);

  /**
   * Requires the parallelism of the frozen target of Flink. What was required before is noted on
   * the JobManager Deployment first ({@code sluice.dev/rescaled-from}); in standalone mode missing
   * TaskManagers come first, too. Right before it is looked once more whether there is a recent
   * checkpoint.
   *
   * @return what speaks against it, or why Flink refuses it, if anything does
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} (no operation is begun, another
   *     generation is frozen, or the cluster was made for another job), {@code ResourceGone}
   */
  @ActivityMethod(name = "ChangeParallelism")
  Answer changeParallelism(RescaleRequest request);

  /**
   * Waits until every vertex runs with the parallelism of the frozen target. Changes nothing.
   *
   * @return what runs, in words
   * @throws io.temporal.failure.ApplicationFailure {@code ClusterNotReady} at the deadline: the job
   *     runs with fewer subtasks; {@code JobFailed}; {@code Outdated} (something else is required
   *     of Flink by now, or the cluster was made for another job)
   */
  @ActivityMethod(name = "AwaitParallelism")
  String awaitParallelism(AwaitParallelismRequest request);

  /**
   * Makes what the cluster was made from say the frozen target: its configuration, the generation
   * of its Deployments. No pod starts anew. Then it is looked whether the job is up, and still to
   * run with that parallelism: a JobManager that was lost before may have read what was there
   * before.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} as {@link #changeParallelism},
   *     and where something else is required of Flink; {@code ClusterNotReady}, retryable, while
   *     the job is not up
   */
  @ActivityMethod(name = "UpdateCluster")
  void updateCluster(RescaleRequest request);

  /**
   * Takes all of that back, as far as it was done since the last stable spec. Nothing was done, the
   * cluster is gone, or the resource is being deleted: nothing happens.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code ResourceGone}
   */
  @ActivityMethod(name = "UndoRescale")
  void undoRescale(RescaleRequest request);

  /**
   * @param resource whose job
   * @param job the job that runs
   * @param generation the spec that it is to become; for an undo the one that is given up
   */
  record RescaleRequest(ResourceRef resource, JobRef job, long generation)
      implements ResourceRequest {}

  /**
   * @param rescale what is waited for
   * @param deadlineMs give up at this time, ms since the epoch
   */
  record AwaitParallelismRequest(RescaleRequest rescale, long deadlineMs)
      implements ResourceRequest {
    @Override
    @JsonIgnore
    public ResourceRef resource() {
      return rescale.resource();
    }
  }

  /**
   * @param problem why it cannot be done; null when it can, or is done
   * @param held an upgrade that keeps the state of the job would fail for the same reason, once it
   *     has stopped the job
   */
  record Answer(@Nullable String problem, boolean held) {

    /** Nothing speaks against it. */
    public static final Answer YES = new Answer(null);

    /** An upgrade may do it. */
    public Answer(@Nullable String problem) {
      this(problem, false);
    }

    /** No upgrade can do it, either. */
    public static Answer held(String problem) {
      return new Answer(problem, true);
    }
  }
}
