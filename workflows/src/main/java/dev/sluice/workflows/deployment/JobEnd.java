package dev.sluice.workflows.deployment;

import static dev.sluice.workflows.operation.StepRunner.doing;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.RecordEndRequest;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OutdatedStep;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.plan.Plan.Teardown;

/**
 * What is done about a job that has ended: its end is recorded, then its cluster goes. Without high
 * availability at once, because with its next pod the JobManager would begin the job again from
 * what it was started with. With high availability Flink remembers that the job has ended, but not
 * what it left: that is recorded at once, and the cluster goes later.
 */
record JobEnd(LaneRun run, JobPlace place) {

  /**
   * The runbook of Finish. {@code status.operation} stays that of the operation which reached the
   * spec, or gave it up.
   */
  OperationResult finish() {
    Observation seen = run.look(StepLimits.PATIENCE);
    if (seen.begun() || !(seen.job() instanceof Ended job)) {
      return nothing("no job has ended.");
    }
    String becomes = "its cluster is deleted after its shutdown-ttl";
    try {
      recordEnd(seen, job);
      if (!job.newest().isKnown()) {
        // its JobManager may be the only one to ask
        becomes = "its cluster stays, because Flink does not tell what the job left";
      } else if (!run.context.input().keepsCluster()) {
        deleteCluster(seen);
        becomes = "its cluster is deleted";
      }
    } catch (OutdatedStep outdated) {
      return nothing(String.valueOf(outdated.getMessage()));
    }
    return result(OperationResult.FINISHED, left(job) + "; " + becomes);
  }

  private OperationResult nothing(String why) {
    return result(OperationResult.UP_TO_DATE, "Nothing to do: " + why);
  }

  private OperationResult result(String result, String message) {
    run.context.done(message);
    return new OperationResult(result, run.context.target(), message);
  }

  private static String left(Ended job) {
    return "Job %s is %s and left %s".formatted(job.jobId(), job.state(), job.newest().display());
  }

  /**
   * Records the end of the job of the operation, and without high availability deletes its cluster.
   * Where it is not known what the job left, and where a job that begins again would lose nothing,
   * nothing is done.
   *
   * @return the message about it, after why the run is held
   * @throws OutdatedStep when the job is not what was seen any more
   */
  StepFailure preventRerun(Observation seen, StepFailure held) {
    if (!isToBeRecorded(seen)) {
      return held;
    }
    // Flink's statistics are final only some seconds after the end of a job
    Observation settled = run.look(StepLimits.PATIENCE);
    if (!isToBeRecorded(settled) || !(settled.job() instanceof Ended job)) {
      return held;
    }
    recordEnd(settled, job);
    if (isRemembered(settled)) {
      return held;
    }
    deleteCluster(settled);
    return new StepFailure(
        held.type(),
        "%s Its cluster is deleted, because without high availability it would begin the job again with its next pod; the job left %s."
            .formatted(held.message(), job.newest().display()),
        held.mayPass());
  }

  private static boolean isRemembered(Observation seen) {
    return seen.cluster().highAvailability() != HighAvailability.OFF;
  }

  /**
   * The job of the operation has ended, and what it left would be forgotten with its JobManager, or
   * it would begin again with less.
   */
  private static boolean isToBeRecorded(Observation seen) {
    RestorePoint recorded = seen.recorded();
    return seen.begun()
        && recorded != null
        && seen.cluster().pods() > 0
        && seen.job() instanceof Ended job
        && recorded.starts(job.jobId())
        && job.state() != FlinkJobState.FINISHED
        && job.newest().pathOrNull() != null
        && (isRemembered(seen) || job.progressed());
  }

  private void recordEnd(Observation seen, Ended job) {
    run.steps.run(
        Step.RECORD_END,
        left(job),
        ResourceActivities.class,
        doing(
            a -> a.recordEnd(new RecordEndRequest(run.context.resource(), job, seen.standing()))));
    run.context.done(left(job));
  }

  private void deleteCluster(Observation seen) {
    place.tearDown(
        seen, Teardown.of(seen.cluster()), new StateRef.Empty("the job has ended"), false);
  }
}
