package dev.sluice.workflows.procedure;

import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.activity.ClusterActivities;
import dev.sluice.workflows.activity.ClusterActivities.StopJobManagerRequest;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OutdatedStep;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.procedure.Assessor.Goal;

/**
 * The runbook of Finish. Without high availability nothing remembers that a job has finished: a
 * JobManager whose pod is rescheduled would run it again. And the JobManager of any job that has
 * ended is of no use after a while. So it is stopped, and what its job left is noted.
 */
public final class FinishProcedure {

  private final OperationContext context;
  private final StepRunner steps;
  private final Assessor assessor;

  /** Finishes within {@code context}. */
  public FinishProcedure(OperationContext context, StepRunner steps) {
    this.context = context;
    this.steps = steps;
    this.assessor = new Assessor(context, steps, Goal.NEWEST);
    context.newerSpecDiffers(() -> assessor.newerSpecDiffers(context.input().generation()));
  }

  /** Returns when the JobManager is stopped, or when its job has not ended after all. */
  public OperationResult stopJobManager() {
    Observation seen = assessor.observe(StepLimits.PATIENCE);
    if (seen.begun() || !(seen.job() instanceof Ended job)) {
      return upToDate(seen, "Nothing to do: no job has ended.");
    }
    if (!job.newest().isKnown()) {
      return notKnown(job);
    }
    try {
      stop(seen, job);
    } catch (OutdatedStep outdated) {
      return upToDate(seen, "Nothing to do: " + outdated.getMessage());
    }
    String message = "Job " + job.jobId() + ended(job) + "; its JobManager is stopped";
    steps.report(
        context.report(OperationState.SUCCEEDED, Step.STOP_JOB_MANAGER, null, message, null));
    return new OperationResult(OperationResult.FINISHED, context.target(), message);
  }

  /** The JobManager may be the only one that can be asked; it is not tried again by itself. */
  private OperationResult notKnown(Ended job) {
    String message =
        "The JobManager of job %s, which%s, is not stopped, because Flink does not tell what the job left: %s"
            .formatted(job.jobId(), ended(job), job.newest().display());
    context.done(message);
    steps.report(
        context.report(
            OperationState.FAILED,
            Step.STOP_JOB_MANAGER,
            FailureType.STATE_NOT_FOUND,
            message,
            null));
    return new OperationResult(OperationResult.UP_TO_DATE, context.target(), message);
  }

  /** The status may say that this Finish, or one that was lost, is at work or blocked. */
  private OperationResult upToDate(Observation seen, String why) {
    context.done(why);
    if (!seen.begun()) {
      steps.report(
          context.report(OperationState.SUCCEEDED, Step.STOP_JOB_MANAGER, null, why, null));
    }
    return new OperationResult(OperationResult.UP_TO_DATE, context.target(), why);
  }

  private void stop(Observation seen, Ended job) {
    steps.runToCompletion(
        Step.STOP_JOB_MANAGER,
        "Stop the JobManager of job " + job.jobId() + ", which" + ended(job),
        StepLimits.GONE,
        ClusterActivities.class,
        (a, deadline) -> {
          a.stopJobManager(
              new StopJobManagerRequest(
                  context.resource(),
                  new JobRef(seen.cluster().ref(), job.jobId()),
                  job.state(),
                  job.newest(),
                  deadline));
          return true;
        });
    context.done("The JobManager is stopped");
  }

  private static String ended(Ended job) {
    return switch (job.state()) {
      case FAILED -> " has failed";
      case CANCELED -> " was cancelled";
      default -> " has finished";
    };
  }
}
