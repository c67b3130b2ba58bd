package dev.sluice.workflows.deployment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.JobActivities.CancelRequest;
import dev.sluice.workflows.activity.JobActivities.CancelRequest.OnlyIf;
import dev.sluice.workflows.activity.JobActivities.StopRequest;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Absent;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.Ids;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.ParallelEffects;
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

  private final LaneRun run;
  private final OperationContext context;
  private final StepRunner steps;
  private final JobPlace place;
  private @Nullable String endedJob;

  ResourceDeletion(LaneRun run, JobPlace place) {
    this.run = run;
    this.context = run.context;
    this.steps = run.steps;
    this.place = place;
  }

  /** Returns when nothing is left, or when what is left is reported. */
  OperationResult removeEverything(Observation seen) {
    SessionClusterWait jobs =
        seen.isSession() ? new SessionClusterWait(run, seen.cluster().ref()) : null;
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
    ParallelEffects.join(); // before the finalizer goes
    String notGone = left == null ? null : FailureType.CLUSTER_NOT_GONE;
    steps.report(
        context.report(OperationState.SUCCEEDED, place.endStep(), notGone, message, notGone));
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
          seen = run.look();
        }
      }
    }
    return left;
  }

  /** Best effort: a job that is ended closes its sinks in order. Returns what is left of it. */
  private @Nullable StateRef endJob(Observation seen) {
    if (seen.deletionSavepointMs() > 0) {
      return endWithSavepoint(seen);
    }
    if (seen.job() instanceof Alive alive) {
      try {
        TakenState unused = cancel(seen, alive, OnlyIf.ANY_CASE, CANCEL);
        context.done("Job cancelled");
      } catch (ActivityFailure failure) {
        context.done("The job was not cancelled; continuing: " + steps.describe(failure));
      }
    }
    return seen.recorded() == null ? null : seen.recorded().state();
  }

  private TakenState cancel(Observation seen, Alive job, OnlyIf onlyIf, Duration limit) {
    long deadline = context.in(limit);
    TakenState taken =
        steps.runOnce(
            Step.CANCEL_JOB,
            "Cancel job %s, at most %d s".formatted(job.jobId(), limit.toSeconds()),
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
      return suspended(left.state(), null, "No savepoint is needed: the job is suspended");
    }
    Observation seen =
        !first.cluster().present() || isSettled(first.job())
            ? first
            : run.look(StepLimits.PATIENCE);
    if (seen.job() instanceof Alive alive) {
      return alive.isUp() || pendingTrigger(seen, alive) != null
          ? stop(seen, alive, first.deletionSavepointMs())
          : cancelAndKeep(seen, alive, "No savepoint is possible. " + alive.display());
    }
    if (seen.job() instanceof Ended ended) {
      // a job that was stopped before, by an upgrade say, has left what it was stopped with
      return ended.state() == FlinkJobState.FINISHED && ended.newest().pathOrNull() != null
          ? suspended(ended.newest(), null, "The job was already stopped")
          : kept(seen, ended.newest(), "No savepoint was taken: the job is " + ended.state());
    }
    String why = seen.job() instanceof Absent ? "the JobManager has no job" : "no job was started";
    return kept(
        seen,
        null,
        "No savepoint was taken: "
            + (seen.job() instanceof Unreachable unreachable ? unreachable.why() : why));
  }

  private static @Nullable String pendingTrigger(Observation seen, Alive job) {
    PendingStop pending = seen.pendingStop();
    return pending == null ? null : pending.triggerOf(job.jobId());
  }

  private static boolean isSettled(JobObservation job) {
    return job instanceof Alive alive ? alive.isUp() : !(job instanceof Unreachable);
  }

  private @Nullable StateRef stop(Observation seen, Alive job, long savepointTimeoutMs) {
    Duration limit = StepLimits.savepoint(savepointTimeoutMs);
    long deadline = context.in(limit);
    long since = Workflow.currentTimeMillis();
    String inFlight = pendingTrigger(seen, job);
    String triggerId =
        inFlight == null
            ? Ids.derive(Workflow.getInfo().getOriginalExecutionRunId(), "final-stop", 1)
            : inFlight;
    run.tell(Step.STOP_WITH_SAVEPOINT, "Taking a savepoint before the deletion", null, limit);
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
      return suspended(taken.state(), taken, "The job was stopped, " + taken.how());
    } catch (ActivityFailure failure) {
      return cancelAndKeep(seen, job, "No savepoint could be taken: " + steps.describe(failure));
    }
  }

  private @Nullable StateRef cancelAndKeep(Observation seen, Alive job, String why) {
    try {
      TakenState taken = cancel(seen, job, OnlyIf.STATE_IS_KEPT, CANCEL_AND_KEEP);
      return kept(seen, taken.state(), why);
    } catch (ActivityFailure failure) {
      String notCancelled = "; and the job was not cancelled: " + steps.describe(failure);
      return kept(seen, job.newest(), why + notCancelled);
    }
  }

  /** There is no savepoint; possibly there is another state, that is found or recorded. */
  private @Nullable StateRef kept(Observation seen, @Nullable StateRef found, String why) {
    RestorePoint recorded = seen.recorded();
    boolean usable = found != null && found.pathOrNull() != null;
    StateRef state = usable ? found : recorded == null ? null : recorded.state();
    boolean path = state != null && state.pathOrNull() != null;
    String what = path ? "; its newest known state is kept" : "; no state of the job is known";
    return told(path ? state : null, EventReasons.SAVEPOINT_ERROR, why + what);
  }

  /**
   * @param taken where Flink may say that this operation took the savepoint; else null
   */
  private @Nullable StateRef suspended(StateRef state, @Nullable TakenState taken, String what) {
    StateRef told = told(state, EventReasons.SUSPENDED, what);
    Runbook.publish(context, taken == null ? null : taken.savepoint());
    return told;
  }

  /** Reported before anything is destroyed. */
  private @Nullable StateRef told(@Nullable StateRef state, String event, String what) {
    String message = state == null ? what : what + ": " + state.display();
    if (state != null) {
      context.state(state);
    }
    context.done(message);
    run.tell(place.endStep(), message, event, GONE);
    return state;
  }
}
