package dev.sluice.workflows.procedure;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.ObserveRequest;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.Ids;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationTable;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.plan.Decision;
import dev.sluice.workflows.plan.Decision.AwaitStarted;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Decision.Settle;
import dev.sluice.workflows.plan.Decision.UpToDate;
import dev.sluice.workflows.plan.LeavingPlanner;
import dev.sluice.workflows.plan.Plan;
import dev.sluice.workflows.plan.Plan.Suspend;
import dev.sluice.workflows.plan.UpgradePlanner;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Observes a resource and decides what to do about it: every attempt begins here. */
final class Assessor {

  /** Which spec is the target. */
  enum Goal {
    /** The newest valid one. */
    NEWEST,
    /** The frozen one, whatever is newer: a rollback that was begun. */
    FROZEN,
    /** The deployed one, unless a newer one came after this run was started: a recovery. */
    DEPLOYED;

    /** The operation that goes on with it in a run of its own. */
    OperationType again(OperationType forward) {
      return switch (this) {
        case NEWEST -> forward;
        case FROZEN -> OperationType.ROLLBACK;
        case DEPLOYED -> OperationType.RECOVER;
      };
    }
  }

  private final OperationContext context;
  private final StepRunner steps;
  private final Goal goal;
  private final UpgradePlanner planner = new UpgradePlanner();
  private boolean stoppedInVain;
  private boolean savepointFailed;

  Assessor(OperationContext context, StepRunner steps, Goal goal) {
    this.context = context;
    this.steps = steps;
    this.goal = goal;
  }

  /**
   * Observes until it can be decided, with patience where that helps.
   *
   * @param retry a retry was requested
   */
  Assessment assess(boolean retry) {
    Assessment quick = decide(observe(Duration.ZERO), false, retry);
    Assessment now = quick;
    if (quick.decision() instanceof Settle) {
      tellSavepoint(quick);
      now = decide(observe(StepLimits.PATIENCE), true, retry);
    }
    return now.decision() instanceof Proceed proceed
        ? new Assessment(now.seen(), now.target(), unlessInVain(now, proceed, retry))
        : now;
  }

  /**
   * A savepoint that is waited for may take long, and the next one is not to begin meanwhile: those
   * who take them see by the status that an operation is at work.
   */
  private void tellSavepoint(Assessment now) {
    if (planner.awaitsSavepoint(now.seen(), now.target()) && !steps.hasReported()) {
      steps.report(
          context.report(OperationState.RUNNING, Step.OBSERVE, null, now.decision().why(), null));
    }
  }

  /** What is decided where the job has ended before anybody stopped it. */
  Decision unlessEnded(Assessment now) {
    boolean mayLeave =
        goal == Goal.NEWEST && !OperationTable.ownsCluster(context.resource().kind());
    Decision ended = mayLeave ? LeavingPlanner.ended(now.seen()) : null;
    return ended == null ? now.decision() : ended;
  }

  /** That suspension did not find the state of the job. */
  void stateNotFoundBy(Suspend suspend) {
    if (suspend instanceof Suspend.CancelAndKeepCheckpoint cancelled) {
      context.lost(cancelled.jobId());
    } else {
      stoppedInVain = true;
    }
  }

  /** The job cannot be stopped with a savepoint. */
  void savepointFailed() {
    savepointFailed = true;
  }

  /** What is recorded was found, or chosen. */
  void stateFound() {
    stoppedInVain = false;
    context.lost(null);
  }

  /** A plan must not rest on what was looked for in vain. */
  private Decision unlessInVain(Assessment now, Proceed plan, boolean retry) {
    Observation seen = now.seen();
    String lost = context.lostJob();
    boolean back = goal == Goal.FROZEN || seen.phase() == Observation.Phase.ROLLING_BACK;
    // what is recorded, given up or in the metadata does not rest on it, and of a job that is up
    // again a savepoint is possible
    boolean restsOnIt =
        lost != null
            && (seen.recorded() == null || seen.recorded().starts(lost))
            && !back
            && now.target().upgradeMode() != UpgradeMode.STATELESS
            && !(plan.plan().suspend() instanceof Suspend.KeepHaMetadata)
            && !(plan.plan().restore() instanceof Plan.Restore.Instead)
            && lost.equals(Objects.requireNonNullElse(jobThere(seen), lost))
            && !(seen.job() instanceof Alive alive && alive.isUp());
    if (lost != null && restsOnIt) {
      return planner.onlyAsChosen(seen, lost, retry);
    }
    return stoppedInVain && retry ? planner.chosenInstead(seen, plan) : plan;
  }

  /** The job that is observed; null when there is none, or it is not known. */
  private static @Nullable String jobThere(Observation seen) {
    if (seen.job() instanceof Alive alive) {
      return alive.jobId();
    }
    return seen.job() instanceof Ended ended ? ended.jobId() : seen.cluster().jobId();
  }

  private Assessment decide(Observation seen, boolean patient, boolean retry) {
    Target newest = seen.newest().target();
    if (goal == Goal.FROZEN && seen.phase() != Observation.Phase.ROLLING_BACK) {
      String why = seen.begun() ? "A newer upgrade was begun." : "The rollback is complete.";
      return new Assessment(seen, newest, new UpToDate(why));
    }
    if (goal == Goal.DEPLOYED) {
      Target deployed = seen.frozen();
      return deployed == null || seen.phase() != Observation.Phase.UPGRADING
          ? new Assessment(seen, newest, new UpToDate("The recovery is complete."))
          : new Assessment(
              seen,
              deployed,
              planner.decide(seen, toRecover(seen, deployed), patient, retry, savepointFailed));
    }
    if (goal == Goal.NEWEST && seen.isNewestGivenUp() && !retry) {
      return new Assessment(seen, newest, UpgradePlanner.givenUp(seen));
    }
    String problem = seen.newest().problem();
    Target frozen = seen.begun() ? seen.frozen() : null;
    boolean newer = problem == null && !seen.newest().sameAsFrozen();
    if (frozen != null && (goal == Goal.FROZEN || !newer)) {
      boolean goesBack = goal == Goal.FROZEN || seen.phase() == Observation.Phase.ROLLING_BACK;
      if (!goesBack && problem == null && newest.generation() > frozen.generation()) {
        Assessment asNewest =
            new Assessment(
                seen, newest, planner.decide(seen, newest, patient, retry, savepointFailed));
        // a job that is started already is that of the frozen spec
        if (!(asNewest.decision() instanceof AwaitStarted)) {
          return asNewest;
        }
      }
      Target target = goesBack ? withState(frozen) : frozen;
      return new Assessment(
          seen, target, planner.decide(seen, target, patient, retry, savepointFailed));
    }
    return problem == null
        ? new Assessment(
            seen, newest, planner.decide(seen, newest, patient, retry, savepointFailed))
        : new Assessment(
            seen,
            newest,
            new Hold(
                false, Reasons.INVALID_SPEC, "The newest spec is not valid: " + problem, false));
  }

  /** Whether a retry now would give up the state of the job, because the spec says so. */
  boolean startsEmptyOnRetry(Observation seen) {
    return decide(seen, true, true).decision() instanceof Proceed it
        && it.plan().restore() instanceof Plan.Restore.From from
        && from.state() instanceof StateRef.Empty;
  }

  /** What the metadata of a lost job still has is not given up, also when its spec is stateless. */
  private static Target toRecover(Observation seen, Target deployed) {
    Target target = deployed.fromLastState();
    RecoveryStatus recovery = seen.recovery();
    boolean missing = recovery != null && recovery.cause() == RecoveryCause.JOB_MANAGER_MISSING;
    return missing && seen.cluster().highAvailability() == HighAvailability.CHECKPOINT
        ? target.withUpgradeMode(UpgradeMode.LAST_STATE)
        : target;
  }

  /** A rollback restores what was recorded, also when the stable spec is stateless. */
  private static Target withState(Target stable) {
    return stable.upgradeMode() == UpgradeMode.STATELESS
        ? stable.withUpgradeMode(UpgradeMode.SAVEPOINT)
        : stable;
  }

  /** Observes and takes the newest generation as known. */
  Observation observe(Duration patience) {
    long wantedBefore = context.signals().wanted();
    Observation seen =
        patience.isZero()
            ? steps.run(
                Step.OBSERVE,
                "Observe the resource, its cluster and its job",
                ResourceActivities.class,
                a -> a.observe(new ObserveRequest(context.resource(), 0)))
            : steps.runToCompletion(
                Step.OBSERVE,
                "Wait until the job settles, at most " + patience.toSeconds() + " s",
                patience,
                ResourceActivities.class,
                (a, deadline) ->
                    a.observe(new ObserveRequest(context.resource(), patience.toMillis())));
    context.signals().observed(wantedBefore, seen.newest().target().generation());
    context.forward(seen.operation());
    context.job(jobForPeople(seen));
    return seen;
  }

  /**
   * The id of the job that replaces what was seen: the same again when the run is reset, unless
   * something was started since. An id is never used for two jobs.
   */
  String nextJobId(Observation seen) {
    // a cancelled run rolls back by itself: its ids must not meet those of its upgrade
    String purpose = goal == Goal.FROZEN ? "rollback-job" : "job";
    return Ids.after(Workflow.getInfo().getOriginalExecutionRunId(), purpose, seen.newestJobId());
  }

  /**
   * Whether the newest spec is valid and differs from the frozen one in more than ignored fields.
   *
   * @param than the generation that it must be newer than: what is asked for by hand need not exist
   */
  boolean newerSpecDiffers(long than) {
    Observation.Newest newest = observe(Duration.ZERO).newest();
    return newest.target().generation() > than
        && newest.problem() == null
        && !newest.sameAsFrozen();
  }

  private static String jobForPeople(Observation seen) {
    JobObservation job = seen.job();
    if (seen.newest().target().session() && job instanceof JobObservation.Absent) {
      return "%d jobs run on the session cluster.".formatted(seen.otherJobs().size());
    }
    if (job instanceof Alive alive) {
      return "Job %s is %s, %s.".formatted(alive.jobId(), alive.state(), alive.tasks().display());
    }
    if (job instanceof Ended ended) {
      return "Job %s is %s.".formatted(ended.jobId(), ended.state());
    }
    if (job instanceof Unreachable unreachable) {
      return "It is not known whether the job runs: " + unreachable.why() + ".";
    }
    return job instanceof JobObservation.NeverStarted
        ? "No job was started yet."
        : "The JobManager answers but has no job.";
  }
}
