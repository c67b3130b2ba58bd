package dev.sluice.workflows.deployment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.JobActivities.CancelRequest;
import dev.sluice.workflows.activity.JobActivities.CancelRequest.OnlyIf;
import dev.sluice.workflows.activity.JobActivities.StopRequest;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.activity.PublishActivities;
import dev.sluice.workflows.activity.PublishActivities.PublishRequest;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Absent;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.Beside;
import dev.sluice.workflows.operation.Ids;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The runbook of a deletion: end the job if it can be reached, with a savepoint where the spec asks
 * for one, delete its cluster, if that is its own, wait until nothing is left, say so. Always ends:
 * what cannot be done in time is reported, not waited for.
 */
final class ResourceDeletion {

  static final Duration GONE = Duration.ofMinutes(2);

  private static final Duration CANCEL = Duration.ofSeconds(20);

  /** Longer than a job that is thrown away gets: its checkpoint is all that is left of it. */
  private static final Duration CANCEL_AND_KEEP = Duration.ofMinutes(1);

  private static final int ATTEMPTS = 3;

  private final OperationContext context;
  private final StepRunner steps;
  private final ResourceLook look;
  private final JobPlace place;
  private @Nullable String endedJob;

  ResourceDeletion(OperationContext context, StepRunner steps, ResourceLook look, JobPlace place) {
    this.context = context;
    this.steps = steps;
    this.look = look;
    this.place = place;
  }

  /** Returns when nothing is left, or when what is left is reported. */
  OperationResult removeEverything(Observation seen) {
    SessionClusterWait jobs =
        seen.isSession() ? new SessionClusterWait(context, steps, seen.cluster().ref()) : null;
    if (jobs != null) {
      jobs.awaitNoJobs();
    }
    StateRef state = jobs == null ? endJob(seen) : null;
    String left = remove(seen, jobs);
    String path = state == null ? null : state.pathOrNull();
    String message =
        place.removed(left)
            + (state == null || path == null
                ? ""
                : "; the state of the job is kept: " + state.display());
    Beside.join(); // before the finalizer goes
    steps.report(
        context.report(
            OperationState.SUCCEEDED,
            place.endStep(),
            left == null ? null : FailureType.CLUSTER_NOT_GONE,
            message,
            left == null ? null : FailureType.CLUSTER_NOT_GONE));
    return new OperationResult(OperationResult.DELETED, 0, message, path);
  }

  /** Null when all is gone, else what is left. */
  private @Nullable String remove(Observation first, @Nullable SessionClusterWait jobs) {
    Observation seen = first;
    String left = null;
    int attempt = 1;
    while (attempt <= ATTEMPTS) {
      try {
        place.removeOnce(seen, endedJob, jobs != null);
        return null;
      } catch (ActivityFailure failure) {
        left = steps.describe(failure);
        boolean outdated = StepFailure.is(failure, FailureType.OUTDATED);
        if (jobs != null && outdated) {
          context.done("Looking at the jobs again: " + left);
          jobs.awaitNoJobs();
          continue;
        }
        context.done("Attempt %d of %d failed: %s".formatted(attempt, ATTEMPTS, left));
        attempt++;
        if (outdated && attempt <= ATTEMPTS) {
          seen = place.afterOutdated(seen, look::now);
        }
      }
    }
    return left;
  }

  /** Best effort: a job that is ended closes its sinks in order. Returns what is left of it. */
  private @Nullable StateRef endJob(Observation seen) {
    RestorePoint recorded = seen.recorded();
    if (seen.deletionSavepointMs() > 0) {
      return endWithSavepoint(seen);
    }
    if (seen.job() instanceof Alive alive) {
      String summary = "Cancel job " + alive.jobId() + ", at most " + CANCEL.toSeconds() + " s";
      try {
        TakenState unused = cancel(seen, alive, OnlyIf.ANY_CASE, summary, CANCEL);
        context.done("Job cancelled");
      } catch (ActivityFailure failure) {
        context.done("The job was not cancelled; continuing: " + steps.describe(failure));
      }
    }
    return recorded == null ? null : recorded.state();
  }

  private TakenState cancel(
      Observation seen, Alive job, OnlyIf onlyIf, String summary, Duration limit) {
    long deadline = context.in(limit);
    TakenState taken =
        steps.runOnce(
            Step.CANCEL_JOB,
            summary,
            deadline,
            JobActivities.class,
            a ->
                a.cancelJob(
                    new CancelRequest(
                        context.resource(),
                        new JobRef(seen.cluster().ref(), job.jobId()),
                        onlyIf,
                        deadline)));
    endedJob = job.jobId();
    return taken;
  }

  /** By a savepoint if the job can take one, else its newest checkpoint is kept. */
  private @Nullable StateRef endWithSavepoint(Observation first) {
    RestorePoint left = first.recorded();
    if (!first.begun() && left != null) {
      return told(
          left.state(), EventReasons.SUSPENDED, "No savepoint is needed: the job is suspended");
    }
    Observation seen =
        !first.cluster().present() || isSettled(first.job())
            ? first
            : look.observe(StepLimits.PATIENCE);
    if (seen.job() instanceof Alive alive) {
      return alive.isUp() || pendingTrigger(seen, alive) != null
          ? stop(seen, alive, first.deletionSavepointMs())
          : cancelAndKeep(
              seen,
              alive,
              "No savepoint is possible: the job is %s, %s"
                  .formatted(alive.state(), alive.tasks().display()));
    }
    if (!(seen.job() instanceof Ended ended)) {
      return kept(seen, null, "No savepoint was taken: " + withoutJob(seen.job()));
    }
    // a job that was stopped before, by an upgrade say, has left what it was stopped with
    return ended.state() == FlinkJobState.FINISHED && ended.newest().pathOrNull() != null
        ? told(ended.newest(), EventReasons.SUSPENDED, "The job was already stopped")
        : kept(seen, ended.newest(), "No savepoint was taken: the job is " + ended.state());
  }

  private static @Nullable String pendingTrigger(Observation seen, Alive job) {
    PendingStop pending = seen.pendingStop();
    return pending == null ? null : pending.triggerOf(job.jobId());
  }

  private static boolean isSettled(JobObservation job) {
    return job instanceof Alive alive ? alive.isUp() : !(job instanceof Unreachable);
  }

  private @Nullable StateRef stop(Observation seen, Alive job, long savepointTimeoutMs) {
    long deadline = context.in(StepLimits.savepoint(savepointTimeoutMs));
    long since = Workflow.currentTimeMillis();
    String inFlight = pendingTrigger(seen, job);
    String triggerId =
        inFlight == null
            ? Ids.derive(Workflow.getInfo().getOriginalExecutionRunId(), "final-stop", 1)
            : inFlight;
    steps.report(
        context
            .report(
                OperationState.RUNNING,
                Step.STOP_WITH_SAVEPOINT,
                null,
                "Taking a savepoint before the deletion",
                null)
            .withDeadlineMs(deadline));
    try {
      TakenState taken =
          steps.runOnce(
              Step.STOP_WITH_SAVEPOINT,
              "Stop job " + job.jobId() + " with a savepoint, as the spec requires",
              deadline,
              JobActivities.class,
              a ->
                  a.stopWithSavepoint(
                      new StopRequest(
                          context.resource(),
                          new JobRef(seen.cluster().ref(), job.jobId()),
                          triggerId,
                          since,
                          deadline,
                          true)));
      endedJob = job.jobId();
      return told(
          taken.state(),
          taken.savepoint(),
          EventReasons.SUSPENDED,
          "The job was stopped, " + taken.how());
    } catch (ActivityFailure failure) {
      return cancelAndKeep(seen, job, "No savepoint could be taken: " + steps.describe(failure));
    }
  }

  private @Nullable StateRef cancelAndKeep(Observation seen, Alive job, String why) {
    String summary = "Cancel job " + job.jobId() + ", keep its newest checkpoint";
    try {
      TakenState taken = cancel(seen, job, OnlyIf.STATE_IS_KEPT, summary, CANCEL_AND_KEEP);
      return kept(seen, taken.state(), why);
    } catch (ActivityFailure failure) {
      String notCancelled = "; and the job was not cancelled: " + steps.describe(failure);
      return kept(seen, job.newest(), why + notCancelled);
    }
  }

  /** There is no savepoint; perhaps there is another state, that is found or recorded. */
  private @Nullable StateRef kept(Observation seen, @Nullable StateRef found, String why) {
    RestorePoint recorded = seen.recorded();
    boolean usable = found != null && found.pathOrNull() != null;
    StateRef state = usable ? found : recorded == null ? null : recorded.state();
    boolean path = state != null && state.pathOrNull() != null;
    String what = path ? "; its newest known state is kept" : "; no state of the job is known";
    return told(path ? state : null, EventReasons.SAVEPOINT_ERROR, why + what);
  }

  private @Nullable StateRef told(@Nullable StateRef state, String event, String what) {
    return told(state, null, event, what);
  }

  /**
   * Reported before anything is destroyed.
   *
   * @param taken the savepoint, where Flink says that this operation took it
   */
  private @Nullable StateRef told(
      @Nullable StateRef state, @Nullable Savepoint taken, String event, String what) {
    String message = state == null ? what : what + ": " + state.display();
    if (state != null) {
      context.state(state);
    }
    context.done(message);
    steps.report(
        context
            .report(OperationState.RUNNING, place.endStep(), null, message, event)
            .withDeadlineMs(context.in(GONE)));
    if (taken != null) {
      Beside.begin(
          "Publish savepoint " + taken.location(),
          PublishActivities.class,
          a -> a.publish(new PublishRequest(context.resource(), taken)));
    }
    return state;
  }

  private static String withoutJob(JobObservation job) {
    if (job instanceof Unreachable unreachable) {
      return unreachable.why();
    }
    return job instanceof Absent ? "the JobManager has no job" : "no job was ever started";
  }
}
