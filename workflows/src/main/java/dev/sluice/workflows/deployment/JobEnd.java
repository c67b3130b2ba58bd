package dev.sluice.workflows.deployment;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.ClusterActivities;
import dev.sluice.workflows.activity.ClusterActivities.NoteEndRequest;
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

/**
 * The runbook of Finish. Without high availability nothing remembers that a job has finished: a
 * JobManager whose pod is rescheduled would run it again, so it is stopped at once, and what its
 * job left is noted. With high availability Flink remembers that the job has ended, but not what it
 * left: that is noted at once, and the JobManager is stopped by a later Finish.
 */
record JobEnd(OperationContext context, StepRunner steps, ResourceLook look) {

  /**
   * Returns when the end of the job is noted, and the JobManager stopped unless the run is to keep
   * it; or when no job has ended after all.
   */
  OperationResult finish() {
    Observation seen = look.observe(StepLimits.PATIENCE);
    if (seen.begun() || !(seen.job() instanceof Ended job)) {
      return upToDate(seen, "Nothing to do: no job has ended.");
    }
    if (!job.newest().isKnown()) {
      return notKnown(job);
    }
    try {
      if (keepsJobManager()) {
        note(seen, job);
      } else {
        stop(seen, job);
      }
    } catch (OutdatedStep outdated) {
      return upToDate(seen, "Nothing to do: " + outdated.getMessage());
    }
    String message =
        named(job)
            + (keepsJobManager()
                ? "; what it left is noted, and its JobManager is stopped after its shutdown-ttl"
                : "; its JobManager is stopped");
    // that a job has ended is told by the controller
    String event = keepsJobManager() ? null : EventReasons.JOB_MANAGER_STOPPED;
    steps.report(context.report(OperationState.SUCCEEDED, step(), null, message, event));
    return new OperationResult(OperationResult.FINISHED, context.target(), message);
  }

  private boolean keepsJobManager() {
    return context.input().keepsJobManager();
  }

  /** The JobManager may be the only one that can be asked; it is not tried again by itself. */
  private OperationResult notKnown(Ended job) {
    String message =
        "%s; its JobManager is not stopped, because Flink does not tell what the job left: %s"
            .formatted(named(job), job.newest().display());
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

  private Step step() {
    return keepsJobManager() ? Step.NOTE_END : Step.STOP_JOB_MANAGER;
  }

  private void note(Observation seen, Ended job) {
    steps.run(
        Step.NOTE_END,
        named(job) + ": note what it left",
        ClusterActivities.class,
        a -> {
          a.noteEnd(
              new NoteEndRequest(context.resource(), ref(seen, job), job.state(), job.newest()));
          return true;
        });
    context.done("What job " + job.jobId() + " left is noted");
  }

  private void stop(Observation seen, Ended job) {
    steps.runToCompletion(
        Step.STOP_JOB_MANAGER,
        named(job) + ": stop its JobManager",
        StepLimits.GONE,
        ClusterActivities.class,
        (a, deadline) -> {
          a.stopJobManager(
              new StopJobManagerRequest(
                  context.resource(), ref(seen, job), job.state(), job.newest(), deadline));
          return true;
        });
    context.done("The JobManager is stopped");
  }

  private static JobRef ref(Observation seen, Ended job) {
    return new JobRef(seen.cluster().ref(), job.jobId());
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
