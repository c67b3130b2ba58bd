package dev.sluice.workflows.deployment;

import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.plan.Plan.Teardown;
import org.jspecify.annotations.Nullable;

/**
 * Where the job of a resource runs, and so how it is started, and how nothing is left of it: on a
 * cluster of its own, which is made and deleted with it, or on the session cluster of another
 * resource, which stays.
 */
sealed interface JobPlace permits OwnCluster, OnSessionCluster {

  /** By the kind of the resource. */
  static JobPlace of(LaneRun run) {
    return run.context.resource().ownsCluster() ? new OwnCluster(run) : new OnSessionCluster(run);
  }

  /** The step after which nothing is left of a job. */
  Step endStep();

  /** The step that waits until Flink has the job. */
  Step startStep();

  /** Whether {@link #prepare} fetches a jar, which may take long. */
  boolean fetchesJar();

  /**
   * Looks whether the target can be started, as far as is known before the job that runs is stopped
   * for it.
   *
   * @throws io.temporal.failure.ActivityFailure when it cannot
   * @throws dev.sluice.workflows.operation.InterruptedRun when something is asked for meanwhile
   */
  void prepare(Frozen target);

  /**
   * Removes what the plan was made for, and waits until nothing of it runs.
   *
   * @param seen what the plan rests on
   * @param from what the next job starts from
   * @param jobEnded Flink was asked to end the job
   * @throws dev.sluice.workflows.operation.OutdatedStep when something else is there by now
   */
  void tearDown(Observation seen, Teardown teardown, StateRef from, boolean jobEnded);

  /**
   * Begins to start the job, whose id is recorded, from {@code from}, and says so in the status.
   */
  void create(Frozen target, JobRef job, StateRef from);

  /**
   * Waits until Flink has the job of the target.
   *
   * @param seen what was observed last
   * @param heldElsewhere is told when what held the start was not of the job
   * @return when the tasks of the job are given up, ms since the epoch
   * @throws dev.sluice.workflows.operation.InterruptedRun when something is asked for meanwhile
   * @throws io.temporal.failure.ActivityFailure when the job cannot be started
   */
  long awaitStart(
      Frozen target, JobRef job, StateRef from, Observation seen, Runnable heldElsewhere);

  /**
   * Once, for a resource that is being deleted: whatever is there of it goes.
   *
   * @param endedJob the job that Flink was asked to end; null for none
   * @param session it is a session cluster, on which no job is left
   * @throws io.temporal.failure.ActivityFailure when something may be left
   */
  void removeOnce(Observation seen, @Nullable String endedJob, boolean session);

  /** The message about a deletion. */
  String removed(@Nullable String left);

  /** What became of what was started: {@code its cluster is deleted}. */
  String givenUp();
}
