package dev.sluice.workflows.procedure;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.ClusterActivities;
import dev.sluice.workflows.activity.ClusterActivities.NoteEndRequest;
import dev.sluice.workflows.activity.ClusterActivities.StopJobManagerRequest;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.operation.InterruptedRun.Interrupt;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OutdatedStep;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.procedure.Assessor.Goal;
import org.jspecify.annotations.Nullable;

/**
 * The runbook of Finish. Without high availability nothing remembers that a job has finished: a
 * JobManager whose pod is rescheduled would run it again, so it is stopped at once, and what its
 * job left is noted. With high availability Flink remembers that the job has ended, but not what it
 * left: that is noted at once, and the JobManager is stopped by a later Finish.
 */
public final class FinishProcedure {

  private final OperationContext context;
  private final StepRunner steps;
  private final Assessor assessor;
  private final RollbackAnswer answer;

  /** Finishes within {@code context}. */
  public FinishProcedure(OperationContext context, StepRunner steps) {
    this.context = context;
    this.steps = steps;
    this.assessor = new Assessor(context, steps, Goal.NEWEST);
    this.answer = new RollbackAnswer(context, steps);
    context.newerSpecDiffers(() -> assessor.newerSpecDiffers(context.input().generation()));
  }

  /**
   * Returns when the end of the job is noted, and the JobManager stopped unless the run is to keep
   * it; or when no job has ended after all.
   */
  public OperationResult finish() {
    Observation seen = assessor.observe(StepLimits.PATIENCE);
    if (seen.begun() || !(seen.job() instanceof Ended job)) {
      return upToDate(seen, "Nothing to do: no job has ended.");
    }
    if (!job.newest().isKnown()) {
      return notKnown(job);
    }
    try {
      if (context.input().keepsJobManager()) {
        note(seen, job);
      } else {
        stop(seen, job);
      }
    } catch (OutdatedStep outdated) {
      return upToDate(seen, "Nothing to do: " + outdated.getMessage());
    }
    String message =
        "Job "
            + job.jobId()
            + ended(job)
            + (context.input().keepsJobManager()
                ? "; what it left is noted, and its JobManager stays for its shutdown-ttl"
                : "; its JobManager is stopped");
    steps.report(context.report(OperationState.SUCCEEDED, step(), null, message, event()));
    return new OperationResult(OperationResult.FINISHED, context.target(), message);
  }

  /** A rollback that was requested meanwhile follows, unless something comes before it. */
  public void handOver() {
    if (context.rollbackAsked()) {
      answer.carriedOut(context.signals().known());
    } else {
      context.safePoint();
    }
  }

  /** As {@link RollbackAnswer#supersededBy}. */
  public Interrupt supersededBy(Interrupt first) {
    return answer.supersededBy(first);
  }

  /** The JobManager may be the only one that can be asked; it is not tried again by itself. */
  private OperationResult notKnown(Ended job) {
    String message =
        "The JobManager of job %s, which%s, is not stopped, because Flink does not tell what the job left: %s"
            .formatted(job.jobId(), ended(job), job.newest().display());
    context.done(message);
    steps.report(
        context.report(OperationState.FAILED, step(), FailureType.STATE_NOT_FOUND, message, null));
    return new OperationResult(OperationResult.UP_TO_DATE, context.target(), message);
  }

  /** The status may say that this Finish, or one that was lost, is at work or blocked. */
  private OperationResult upToDate(Observation seen, String why) {
    context.done(why);
    if (!seen.begun()) {
      steps.report(context.report(OperationState.SUCCEEDED, step(), null, why, null));
    }
    return new OperationResult(OperationResult.UP_TO_DATE, context.target(), why);
  }

  /** That a job has ended is told by the controller. */
  private @Nullable String event() {
    return context.input().keepsJobManager() ? null : EventReasons.JOB_MANAGER_STOPPED;
  }

  private Step step() {
    return context.input().keepsJobManager() ? Step.NOTE_END : Step.STOP_JOB_MANAGER;
  }

  private void note(Observation seen, Ended job) {
    steps.run(
        Step.NOTE_END,
        "Note what job " + job.jobId() + ", which" + ended(job) + ", left",
        ClusterActivities.class,
        a -> {
          a.noteEnd(
              new NoteEndRequest(
                  context.resource(),
                  new JobRef(seen.cluster().ref(), job.jobId()),
                  job.state(),
                  job.newest()));
          return true;
        });
    context.done("What job " + job.jobId() + " left is noted");
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
