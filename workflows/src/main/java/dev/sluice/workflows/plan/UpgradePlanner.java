package dev.sluice.workflows.plan;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.model.JobObservation.Absent;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.NeverStarted;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.AwaitStarted;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Decision.Reverted;
import dev.sluice.workflows.plan.Decision.Settle;
import dev.sluice.workflows.plan.Decision.StaySuspended;
import dev.sluice.workflows.plan.Decision.UpToDate;
import dev.sluice.workflows.plan.Plan.Suspend;
import dev.sluice.workflows.plan.Plan.Teardown;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a resource gets to its target, from one observation. Pure. Two rules stand above all
 * others: a job with state never starts without it, and going forward never rewinds: a recorded
 * state is used only while it is proved that the job started from it has not progressed.
 *
 * <p>Run again after any interruption it picks up where things stand, because it looks only at what
 * is there.
 */
public final class UpgradePlanner {

  private static final String RECORDED = "recorded";
  private static final String EMPTY = "empty";

  private final SuspendPlanner suspending = new SuspendPlanner();
  private final SessionPlanner sessions = new SessionPlanner();

  /**
   * @param seen what was observed
   * @param target the spec to reach: the newest one, or the frozen one during a rollback
   * @param patient the observation has already waited for things to settle
   * @param retry the user requested a retry: a job of the target that does not come up is replaced,
   *     and {@code sluice.dev/restore-from} counts
   * @param savepointFailed a savepoint of the job has failed in this run
   */
  public Decision decide(
      Observation seen, Target target, boolean patient, boolean retry, boolean savepointFailed) {
    if (isUpToDate(seen)) {
      return new UpToDate("Generation " + target.generation() + " is already deployed.");
    }
    if (isReverted(seen)) {
      return seen.pendingStop() != null && seen.job() instanceof Alive alive
          ? SuspendPlanner.stop(
              seen, alive.jobId(), "The job may have been stopped already: it is stopped first.")
          : new Reverted("The newest spec is the one that runs; the job was not stopped.");
    }
    if (target.session()) {
      return sessions.decide(seen, target, patient, retry);
    }
    Decision decision = forward(seen, target, patient, retry, savepointFailed);
    String choice = seen.newest().restoreFrom();
    if (!retry || choice == null || choice.isBlank()) {
      return decision;
    }
    Hold notFound = notFound(decision);
    if (notFound != null) {
      return chosen(seen, choice, notFound);
    }
    return decision instanceof Proceed
            && seen.job() instanceof Ended ended
            && restoredInVain(seen) != null
        ? chosen(seen, choice, failed(seen, ended))
        : decision;
  }

  /** The newest spec was given up, and nobody has asked for it since. */
  public static UpToDate givenUp(Observation seen) {
    return new UpToDate(
        "Generation %d was given up. Apply another spec, or annotate with sluice.dev/retry."
            .formatted(seen.newest().target().generation()));
  }

  /** Why the user may choose the state; null where it is known. */
  private static @Nullable Hold notFound(Decision decision) {
    return decision instanceof Hold hold && hold.offersRestoreFrom() ? hold : null;
  }

  private static Hold failed(Observation seen, Ended job) {
    String what =
        "Job %s of the new spec is %s. Correct the spec, retry or abort."
            .formatted(job.jobId(), job.state());
    RestorePoint in = restoredInVain(seen);
    String choose =
        in == null
            ? ""
            : " If it cannot read %s, choose another state with sluice.dev/restore-from and sluice.dev/retry."
                .formatted(in.state().display());
    return new Hold(false, Reasons.JOB_FAILED, what + choose, in != null);
  }

  /** What the job was started from that has failed before it progressed; else null. */
  private static @Nullable RestorePoint restoredInVain(Observation seen) {
    RestorePoint recorded = seen.recorded();
    return recorded != null
            && recorded.state().pathOrNull() != null
            && seen.job() instanceof Ended ended
            && recorded.starts(ended.jobId())
            && !ended.progressed()
            && ended.state() != FlinkJobState.FINISHED
        ? recorded
        : null;
  }

  /**
   * The user's choice ({@code sluice.dev/restore-from}), for a plan whose state was not found; the
   * plan itself without a choice.
   */
  public Decision chosenInstead(Observation seen, Proceed inVain) {
    String choice = seen.newest().restoreFrom();
    return choice == null || choice.isBlank()
        ? inVain
        : chosen(seen, choice, new Hold(false, Reasons.STATE_NOT_FOUND, inVain.plan().why(), true));
  }

  /**
   * For a job whose newest state was looked for in vain: what it tells since may be older, so that
   * only the user's choice counts.
   *
   * @param jobId the job
   * @param retry the user requested a retry
   */
  public Decision onlyAsChosen(Observation seen, String jobId, boolean retry) {
    Hold hold =
        new Hold(
            false,
            Reasons.STATE_NOT_FOUND,
            "The newest state of job "
                + jobId
                + " was not found when it was cancelled, and what it tells now may be older."
                + SuspendPlanner.NEVER_WITHOUT,
            true);
    String choice = seen.newest().restoreFrom();
    return retry && choice != null && !choice.isBlank() ? chosen(seen, choice, hold) : hold;
  }

  /** As the other, where no savepoint has failed. */
  Decision decide(Observation seen, Target target, boolean patient, boolean retry) {
    return decide(seen, target, patient, retry, false);
  }

  private Decision forward(
      Observation seen, Target target, boolean patient, boolean retry, boolean savepointFailed) {
    if (!seen.otherJobs().isEmpty()) {
      return new Hold(
          false,
          Reasons.OTHER_JOBS,
          "The cluster runs jobs that do not belong to the resource: "
              + String.join(", ", seen.otherJobs())
              + ". Cancel them, or move them to another cluster.",
          false);
    }
    StaySuspended rest = target.suspended() ? staySuspended(seen) : null;
    if (rest != null) {
      return rest;
    }
    RestorePoint recorded = target.suspended() ? null : startedFrom(seen, target);
    Decision started = recorded == null ? null : started(seen, target, recorded, retry);
    if (started != null) {
      return started;
    }
    if (PendingSavepoint.isAwaited(seen, target) && !retry) {
      return SuspendPlanner.notYet(patient, PendingSavepoint.WHY, false);
    }
    if (RedeployPlanner.isAsked(target)) {
      return RedeployPlanner.decide(seen, target, patient, retry, savepointFailed);
    }
    Decision pending = pendingStop(seen, target);
    if (pending != null) {
      return pending;
    }
    if (target.upgradeMode() != UpgradeMode.STATELESS) {
      return FirstStart.asNamedNow(seen, target, suspending.decide(seen, target, patient));
    }
    if (RedeployPlanner.isRecorded(seen, target)) {
      return suspending.decide(seen, target.withUpgradeMode(UpgradeMode.SAVEPOINT), patient);
    }
    Decision leave = recorded == null ? null : mayComeUp(seen, target, recorded, patient);
    return leave == null ? stateless(seen, target) : leave;
  }

  /**
   * A stop with savepoint was begun, whatever the job does now: only its outcome says which state
   * is the newest. Null where none was, or its savepoint is known.
   */
  private static @Nullable Decision pendingStop(Observation seen, Target target) {
    PendingStop pending = seen.pendingStop();
    String job =
        seen.job() instanceof Alive alive
            ? alive.jobId()
            : seen.job() instanceof Ended ended && !isStoppedWith(ended) ? ended.jobId() : null;
    return pending != null
            && job != null
            && pending.triggerOf(job) != null
            && target.upgradeMode() != UpgradeMode.STATELESS
        ? SuspendPlanner.stop(
            seen, job, "A stop of job %s with a savepoint was begun.".formatted(job))
        : null;
  }

  /** The newest state of a job that failed may be the savepoint that it was restored from. */
  private static boolean isStoppedWith(Ended job) {
    return job.state() == FlinkJobState.FINISHED && job.newest() instanceof StateRef.Savepoint;
  }

  /** Whether the job is not stopped because somebody takes a savepoint of it. */
  public boolean awaitsSavepoint(Observation seen, Target target) {
    return PendingSavepoint.isAwaited(seen, target);
  }

  private static boolean isUpToDate(Observation seen) {
    Target frozen = seen.frozen();
    if (seen.begun() || frozen == null || !seen.newest().sameAsFrozen()) {
      return false;
    }
    boolean mustLeave = seen.clusterGoes() && !(seen.job() instanceof Ended);
    return frozen.suspended()
        || (!mustLeave
            && Objects.equals(frozen.generation(), seen.stableGeneration())
            && seen.cluster().present());
  }

  /** Null while there is something left to stop, or its state is not recorded. */
  private static @Nullable StaySuspended staySuspended(Observation seen) {
    if (seen.cluster().present() || seen.cluster().pods() > 0) {
      return null;
    }
    if (seen.job() instanceof NeverStarted never) {
      return new StaySuspended(null, "No job is to run: " + never.proof() + ".");
    }
    RestorePoint recorded = seen.recorded();
    if (recorded == null) {
      return null;
    }
    boolean kept =
        recorded.isSameJob()
            ? seen.cluster().highAvailability() == HighAvailability.CHECKPOINT
            : !recorded.startedJob().equals(seen.cluster().preparedJobId());
    return kept
        ? new StaySuspended(recorded.state(), "The job is stopped and its state is recorded.")
        : null;
  }

  private static boolean isReverted(Observation seen) {
    if (keepsSession(seen)) {
      return seen.phase() == Observation.Phase.UPGRADING && seen.newest().sameAsStable();
    }
    return seen.phase() == Observation.Phase.UPGRADING
        && seen.newest().sameAsStable()
        && !seen.replacesUnhealthy()
        && !seen.clusterGoes()
        && (seen.recorded() == null || isLeftToMetadata(seen))
        && seen.cluster().present()
        && Objects.equals(seen.cluster().generation(), seen.stableGeneration())
        && seen.job() instanceof Alive alive
        && alive.isUp();
  }

  /**
   * The old job is not touched before its cluster goes. Where the target is the stable spec itself,
   * it may be the new one.
   */
  private static boolean isLeftToMetadata(Observation seen) {
    return seen.recorded() != null
        && seen.recorded().isSameJob()
        && seen.frozen() != null
        && !Objects.equals(seen.frozen().generation(), seen.stableGeneration());
  }

  /**
   * What the job, or session cluster, that is there was started from, if it is the target's own.
   */
  static @Nullable RestorePoint startedFrom(Observation seen, Target target) {
    RestorePoint recorded = seen.recorded();
    Target frozen = seen.frozen();
    if (frozen == null || recorded == null) {
      return null;
    }
    boolean sameTarget = target.generation() == frozen.generation() || seen.newest().sameAsFrozen();
    return sameTarget
            && seen.cluster().present()
            && recorded.starts(seen.cluster().jobId())
            && Objects.equals(seen.cluster().generation(), frozen.generation())
        ? recorded
        : null;
  }

  /** As {@link SessionPlanner#takeDown}. */
  public Decision takeDown(Observation seen, boolean retry) {
    return sessions.takeDown(seen, retry);
  }

  /**
   * Whether the session cluster of the last stable spec is still there, untouched: it goes in one
   * step, and its jobs with it, so that whoever gives the newer spec up keeps both.
   */
  public static boolean keepsSession(Observation seen) {
    return seen.isSession()
        && seen.begun()
        && seen.frozen() != null
        && seen.stableGeneration() != null
        && !Objects.equals(seen.frozen().generation(), seen.stableGeneration())
        && seen.cluster().present()
        && Objects.equals(seen.cluster().generation(), seen.stableGeneration());
  }

  /**
   * Flink never had it, which is known on a session cluster only, and an earlier run was about to
   * start another one in its place.
   */
  private static boolean isGivenUp(Observation seen, RestorePoint recorded) {
    return seen.job() instanceof Absent
        && seen.cluster().jobManager() == JobManager.NEVER_READY
        && !recorded.startedJob().equals(seen.cluster().jobId());
  }

  /** Null when a retry was requested and the job is not up. */
  private static @Nullable Decision started(
      Observation seen, Target target, RestorePoint recorded, boolean retry) {
    String jobId = Objects.requireNonNull(seen.cluster().jobId());
    if (seen.job() instanceof Ended ended) {
      return switch (ended.state()) {
        case FINISHED ->
            new AwaitStarted(jobId, recorded.state(), true, "The new job has finished.");
        default ->
            retry || FirstStart.isCorrected(seen, target, ended) ? null : failed(seen, ended);
      };
    }
    boolean up = seen.job() instanceof Alive alive && alive.isUp();
    if ((retry && !up) || isGivenUp(seen, recorded)) {
      return null;
    }
    String why = up ? "The new job is up." : "The new job is already started.";
    return new AwaitStarted(jobId, recorded.state(), up, why);
  }

  /** The target's own job, of which it is not known that it is no use; null when it is none. */
  private static @Nullable Decision mayComeUp(
      Observation seen, Target target, RestorePoint recorded, boolean patient) {
    if (seen.job() instanceof Unreachable) {
      return started(seen, target, recorded, false);
    }
    return seen.job() instanceof Alive alive && !patient
        ? new Settle("The job is " + alive.state() + ".")
        : null;
  }

  private static Decision stateless(Observation seen, Target target) {
    Suspend suspend =
        seen.job() instanceof Alive alive ? new Suspend.Discard(alive.jobId()) : new Suspend.None();
    boolean first = seen.stableGeneration() == null;
    StateRef start = first ? FirstStart.of(target) : StateRef.Empty.STATELESS;
    String why = "upgradeMode is stateless." + FirstStart.told(start);
    return new Proceed(new Plan(suspend, new Plan.Restore.From(start, first), replace(seen), why));
  }

  private static Decision chosen(Observation seen, String annotation, Hold otherwise) {
    String choice = annotation.trim();
    StateRef state;
    if (choice.equals(EMPTY)) {
      state = new StateRef.Empty("chosen with sluice.dev/restore-from");
    } else if (choice.equals(RECORDED)) {
      if (seen.recorded() == null || seen.recorded().isSameJob()) {
        return new Hold(
            otherwise.blocked(),
            otherwise.reason(),
            "sluice.dev/restore-from is 'recorded', but no savepoint or checkpoint is recorded. "
                + otherwise.why(),
            true);
      }
      state = seen.recorded().state();
    } else {
      state = new StateRef.Savepoint(choice);
    }
    Suspend suspend =
        seen.job() instanceof Alive alive ? new Suspend.Discard(alive.jobId()) : new Suspend.None();
    return new Proceed(
        new Plan(
            suspend,
            new Plan.Restore.Chosen(state, annotation),
            replace(seen),
            "sluice.dev/restore-from is '" + choice + "'."));
  }

  /** The cluster that is there, and no other, may go. */
  static Teardown replace(Observation seen) {
    return Teardown.Replace.of(seen.cluster());
  }
}
