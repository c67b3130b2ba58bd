package dev.sluice.workflows.deployment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.ClusterActivities;
import dev.sluice.workflows.activity.ClusterActivities.NoteEndRequest;
import dev.sluice.workflows.activity.ClusterActivities.StopJobManagerRequest;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.Standing;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OutdatedStep;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is done about a job that has ended. Without high availability nothing remembers that: with
 * its next pod the JobManager would begin the job again from what it was started with. So it is
 * stopped at once, and what the job left is noted. With high availability Flink remembers that the
 * job has ended, but not what it left: that is noted at once, and the JobManager is stopped later.
 */
record JobEnd(OperationContext context, StepRunner steps, ResourceLook look) {

  /**
   * The runbook of Finish: returns when the end of the job is noted, and the JobManager stopped
   * unless the run is to keep it; or when no job has ended after all.
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
        note(seen, job, null);
      } else {
        stop(seen, job, null);
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

  /**
   * Stops the JobManager, once it is noted what the job left. Where that is not known, and where a
   * job that begins again would lose nothing, it stays. With high availability Flink remembers that
   * the job has ended, but a JobManager that is restarted not what it left: that is noted only.
   *
   * @param emptyOnRetry a retry would start the spec without state, as it says
   * @return what people are told of it, after why the run is held
   * @throws dev.sluice.workflows.operation.OutdatedStep when the job is not what was seen any more
   */
  StepFailure preventRerun(
      Observation seen, StepFailure held, Predicate<Observation> emptyOnRetry) {
    if (!isToBeNoted(seen)) {
      return held;
    }
    // Flink's statistics are final only some seconds after the end of a job
    Observation settled = look.observe(StepLimits.PATIENCE);
    if (!isToBeNoted(settled) || !(settled.job() instanceof Ended job)) {
      return held;
    }
    if (isRemembered(settled)) {
      note(settled, job, settled.standing());
      return held;
    }
    stop(settled, job, settled.standing());
    return new StepFailure(
        held.type(),
        held.message()
            + " Its JobManager is stopped, because without high availability it would begin the"
            + " job again with its next pod; "
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
  private static boolean isToBeNoted(Observation seen) {
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

  /**
   * @param plannedFor how the status of an operation in progress stands; null outside of one
   */
  private void note(Observation seen, Ended job, @Nullable Standing plannedFor) {
    steps.run(
        Step.NOTE_END,
        named(job) + ": note what it left",
        ClusterActivities.class,
        a -> {
          a.noteEnd(
              new NoteEndRequest(
                  context.resource(), ref(seen, job), job.state(), job.newest(), plannedFor));
          return true;
        });
    context.done("What job %s left is noted: %s".formatted(job.jobId(), job.newest().display()));
  }

  /**
   * @param plannedFor as above
   */
  private void stop(Observation seen, Ended job, @Nullable Standing plannedFor) {
    steps.runToCompletion(
        Step.STOP_JOB_MANAGER,
        named(job) + ": stop its JobManager, which would begin it again",
        StepLimits.GONE,
        ClusterActivities.class,
        (a, deadline) -> {
          a.stopJobManager(
              new StopJobManagerRequest(
                  context.resource(),
                  ref(seen, job),
                  job.state(),
                  job.newest(),
                  deadline,
                  plannedFor));
          return true;
        });
    context.done("The JobManager is stopped; the job left " + job.newest().display());
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
