package dev.sluice.workflows.deployment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.ClusterActivities;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.RecordEndRequest;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OutdatedStep;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What is done about a job that has ended: its end is recorded, then its cluster goes. Without high
 * availability at once, because with its next pod the JobManager would begin the job again from
 * what it was started with. With high availability Flink remembers that the job has ended, but not
 * what it left: that is recorded at once, and the cluster goes later.
 */
record JobEnd(OperationContext context, StepRunner steps, ResourceLook look) {

  /**
   * The runbook of Finish. {@code status.operation} stays that of the operation which reached the
   * spec, or gave it up.
   */
  OperationResult finish() {
    Observation seen = look.observe(StepLimits.PATIENCE);
    if (seen.begun() || !(seen.job() instanceof Ended job)) {
      return nothing("no job has ended.");
    }
    try {
      recordEnd(seen, job);
      if (goesNow(job)) {
        deleteCluster(seen, job);
      }
    } catch (OutdatedStep outdated) {
      return nothing(String.valueOf(outdated.getMessage()));
    }
    String message = named(job) + "; " + becomesOfCluster(job);
    context.done(message);
    return new OperationResult(OperationResult.FINISHED, context.target(), message);
  }

  /** Where Flink does not tell what the job left, its JobManager may be the only one to ask. */
  private boolean goesNow(Ended job) {
    return job.newest().isKnown() && !context.input().keepsCluster();
  }

  private String becomesOfCluster(Ended job) {
    if (!job.newest().isKnown()) {
      return "its cluster stays, because Flink does not tell what the job left: "
          + job.newest().display();
    }
    return goesNow(job)
        ? "its cluster is deleted"
        : "its cluster is deleted after its shutdown-ttl";
  }

  private OperationResult nothing(String why) {
    String message = "Nothing to do: " + why;
    context.done(message);
    return new OperationResult(OperationResult.UP_TO_DATE, context.target(), message);
  }

  /**
   * Records the end of the job of the operation, and without high availability deletes its cluster.
   * Where it is not known what the job left, and where a job that begins again would lose nothing,
   * nothing is done.
   *
   * @param emptyOnRetry a retry would start the spec without state, as it says
   * @return what people are told of it, after why the run is held
   * @throws OutdatedStep when the job is not what was seen any more
   */
  StepFailure preventRerun(
      Observation seen, StepFailure held, Predicate<Observation> emptyOnRetry) {
    if (!isToBeRecorded(seen)) {
      return held;
    }
    // Flink's statistics are final only some seconds after the end of a job
    Observation settled = look.observe(StepLimits.PATIENCE);
    if (!isToBeRecorded(settled) || !(settled.job() instanceof Ended job)) {
      return held;
    }
    recordEnd(settled, job);
    if (isRemembered(settled)) {
      return held;
    }
    deleteCluster(settled, job);
    return new StepFailure(
        held.type(),
        held.message()
            + " Its cluster is deleted, because without high availability it would begin the job"
            + " again with its next pod; "
            + goesOn(emptyOnRetry.test(settled), job)
            + ".",
        held.mayPass());
  }

  private static String goesOn(boolean empty, Ended job) {
    return empty
        ? "retry starts the spec empty, because its upgradeMode is stateless. A spec with"
            + " savepoint or last-state goes on from "
            + job.newest().display()
        : "retry and a newer spec go on from " + job.newest().display();
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
    steps.run(
        Step.RECORD_END,
        named(job) + ": record what it left",
        ResourceActivities.class,
        a -> {
          a.recordEnd(new RecordEndRequest(context.resource(), job, seen.standing()));
          return true;
        });
    context.done("What job %s left is recorded: %s".formatted(job.jobId(), job.newest().display()));
  }

  private void deleteCluster(Observation seen, Ended job) {
    steps.runToCompletion(
        Step.DELETE_CLUSTER,
        named(job) + ": delete its cluster; wait until no pod is left",
        StepLimits.GONE,
        ClusterActivities.class,
        (a, deadline) -> {
          a.deleteCluster(
              new DeleteClusterRequest(
                  context.resource(),
                  seen.cluster().ref(),
                  Set.of(job.jobId()),
                  null,
                  false,
                  deadline));
          return true;
        });
    context.done("The cluster is deleted; the job left " + job.newest().display());
  }

  private static String named(Ended job) {
    String how =
        switch (job.state()) {
          case FAILED -> "has failed";
          case CANCELED -> "was cancelled";
          default -> "has finished";
        };
    return "Job %s %s".formatted(job.jobId(), how);
  }
}
