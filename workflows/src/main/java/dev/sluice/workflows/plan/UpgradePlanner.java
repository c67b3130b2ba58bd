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
import dev.sluice.workflows.model.Observation.Phase;
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
import dev.sluice.workflows.plan.GoalPlanner.Tried;
import dev.sluice.workflows.plan.Plan.Restore;
import dev.sluice.workflows.plan.Plan.Suspend;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a resource gets to its target, from one observation. Pure. Two rules stand above all
 * others: a job with state never starts without it, and going forward never rewinds: a recorded
 * state is used only while it is proved that the job started from it has not progressed.
 *
 * <p>The first row that fits decides:
 *
 * <table>
 *   <caption>Rows, with what follows from them</caption>
 *   <tr><th>Observed</th><th>Decision</th></tr>
 *   <tr><td>the newest spec is deployed</td><td>{@link UpToDate}</td></tr>
 *   <tr><td>the newest spec is that of the old job, which was not touched</td><td>{@link
 *     Reverted}</td></tr>
 *   <tr><td>a session cluster</td><td>{@link SessionPlanner}</td></tr>
 *   <tr><td>jobs of nobody on the cluster</td><td>parked</td></tr>
 *   <tr><td>no job is to run, and none does</td><td>{@link StaySuspended}</td></tr>
 *   <tr><td>the job of the target was started</td><td>{@link AwaitStarted}; FAILED: parked</td></tr>
 *   <tr><td>a savepoint of the job is in progress</td><td>waited for</td></tr>
 *   <tr><td>{@code savepointRedeployNonce} has changed</td><td>{@link RedeployPlanner}</td></tr>
 *   <tr><td>a stop of the job was begun</td><td>its outcome</td></tr>
 *   <tr><td>{@code savepoint} or {@code last-state}</td><td>{@link StatePlanner}</td></tr>
 *   <tr><td>{@code stateless}</td><td>empty</td></tr>
 * </table>
 *
 * <p>What the user chose with {@code sluice.dev/restore-from} replaces a decision only where the
 * run would be held for its state, or its job failed before it progressed.
 *
 * @param seen what was observed
 * @param target the spec to reach: the newest one, or the frozen one during a rollback
 * @param tried what was tried before; with a retry a job of the target that does not come up is
 *     replaced, and {@code sluice.dev/restore-from} counts
 */
public record UpgradePlanner(Observation seen, Target target, Tried tried) {

  static final StateRef CHOSEN_EMPTY = new StateRef.Empty("chosen with sluice.dev/restore-from");

  private static final String RECORDED = "recorded";
  static final String EMPTY = "empty";
  private static final String SAVEPOINT_IN_PROGRESS =
      "A savepoint of the job is in progress, which is waited for. Annotate with sluice.dev/retry to"
          + " stop the job at once; the savepoint fails then.";

  /** How the target is reached. */
  Decision decide() {
    if (isUpToDate()) {
      return new UpToDate("Generation " + target.generation() + " is already deployed.");
    }
    if (isReverted()) {
      return seen.pendingStop() != null && seen.job() instanceof Alive alive
          ? Proceed.stop(
              seen, alive.jobId(), "The job may have been stopped already: it is stopped first.")
          : new Reverted("The newest spec is the one that runs; the job was not stopped.");
    }
    if (target.session()) {
      return new SessionPlanner(seen, tried).decide(target);
    }
    Decision decision = forward();
    Hold hold = decision instanceof Hold it ? it : null;
    if (decision instanceof Proceed && seen.job() instanceof Ended ended) {
      hold = failed(ended);
    }
    return hold != null && hold.offersRestoreFrom() ? orChosen(hold, decision) : decision;
  }

  /** The newest spec was given up, and nobody has asked for it since. */
  public static UpToDate givenUp(Observation seen) {
    return new UpToDate(
        "Generation %d was given up. Apply another spec, or annotate with sluice.dev/retry."
            .formatted(seen.newest().target().generation()));
  }

  /**
   * The user may choose another state where the job did not get beyond what it was started from.
   */
  private Hold failed(Ended job) {
    String what =
        "Job %s of the new spec is %s. Correct the spec, retry or abort."
            .formatted(job.jobId(), job.state());
    RestorePoint in = seen.startOf(job);
    boolean restored = in != null && in.state().pathOrNull() != null;
    return in != null && restored && job.state() != FlinkJobState.FINISHED
        ? Hold.parked(
                Reasons.JOB_FAILED,
                "%s If it cannot read %s, choose another state with sluice.dev/restore-from and sluice.dev/retry."
                    .formatted(what, in.state().display()))
            .withOffersRestoreFrom(true)
        : Hold.parked(Reasons.JOB_FAILED, what);
  }

  /**
   * The user's choice ({@code sluice.dev/restore-from}), for a plan whose state was not found; the
   * plan itself without a choice.
   */
  Decision chosenInstead(Proceed inVain) {
    return orChosen(new Hold(false, Reasons.STATE_NOT_FOUND, inVain.plan().why(), true), inVain);
  }

  /**
   * For a job whose newest state was looked for in vain: what it tells since may be older, so that
   * only the user's choice counts.
   */
  Decision onlyAsChosen(String jobId) {
    Hold hold =
        Hold.lost(
            false,
            "The newest state of job %s was not found when it was cancelled, and what it tells now may be older."
                .formatted(jobId));
    return orChosen(hold, hold);
  }

  /** The first row that fits decides; those that look for the newest state are StatePlanner's. */
  private Decision forward() {
    if (!seen.otherJobs().isEmpty()) {
      return Hold.parked(
          Reasons.OTHER_JOBS,
          "The cluster runs jobs that do not belong to the resource: %s. Cancel them, or move them to another cluster."
              .formatted(String.join(", ", seen.otherJobs())));
    }
    StaySuspended rest = target.suspended() ? staySuspended() : null;
    if (rest != null) {
      return rest;
    }
    RestorePoint recorded = target.suspended() ? null : startedFrom(seen, target);
    Decision started = recorded == null ? null : started(recorded, tried.retry());
    if (started != null) {
      return started;
    }
    if (awaitsSavepoint(seen, target) && !tried.retry()) {
      return Decision.notYet(tried.patient(), SAVEPOINT_IN_PROGRESS);
    }
    if (RedeployPlanner.isAsked(target)) {
      return RedeployPlanner.decide(seen, target, tried);
    }
    if (target.upgradeMode() != UpgradeMode.STATELESS) {
      String pending = pendingStop();
      return pending == null
          ? FirstStart.asNamedNow(seen, target, newestState(target))
          : Proceed.stop(
              seen, pending, "A stop of job %s with a savepoint was begun.".formatted(pending));
    }
    if (RedeployPlanner.isRecorded(seen, target)) {
      return newestState(target.withUpgradeMode(UpgradeMode.SAVEPOINT));
    }
    Decision leave = recorded == null ? null : mayComeUp(recorded);
    return leave == null ? stateless() : leave;
  }

  private Decision newestState(Target of) {
    return new StatePlanner(seen, of, tried.patient()).decide();
  }

  /**
   * The job whose stop with savepoint was begun, whatever it does now: only the outcome says which
   * state is the newest. Null where none was, or its savepoint is known.
   */
  private @Nullable String pendingStop() {
    PendingStop pending = seen.pendingStop();
    String job = null;
    if (seen.job() instanceof Alive alive) {
      job = alive.jobId();
    } else if (seen.job() instanceof Ended ended) {
      // the newest state of a job that failed may be the savepoint that it was restored from
      boolean known =
          ended.state() == FlinkJobState.FINISHED && ended.newest() instanceof StateRef.Savepoint;
      job = known ? null : ended.jobId();
    }
    return pending != null && job != null && pending.triggerOf(job) != null ? job : null;
  }

  /**
   * Whether the job is not stopped because somebody takes a savepoint of it, which would fail. Not
   * on the way back, which is urgent, nor of a job that is restarted because it is not healthy.
   * Flink gives it up after the checkpoint timeout of the job.
   */
  public static boolean awaitsSavepoint(Observation seen, Target target) {
    boolean taken =
        seen.job() instanceof Alive job
            ? job.isUp() && job.times().takesSavepoint()
            : !seen.savepoints().isEmpty();
    return taken && wouldAwaitSavepoint(seen, target);
  }

  /** If one is known to be in progress. */
  static boolean wouldAwaitSavepoint(Observation seen, Target target) {
    return !target.options().ignoresSavepoints()
        && seen.phase() != Phase.ROLLING_BACK
        && !seen.replacesUnhealthy();
  }

  private boolean isUpToDate() {
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
  private @Nullable StaySuspended staySuspended() {
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

  private boolean isReverted() {
    if (seen.phase() != Phase.UPGRADING || !seen.newest().sameAsStable()) {
      return false;
    }
    RestorePoint recorded = seen.recorded();
    // the old job is not touched before its cluster goes; where the target is the stable spec
    // itself, it may be the new one
    boolean untouched = recorded == null || (recorded.isSameJob() && isOtherThanStable(seen));
    return keepsSession(seen)
        || (!seen.replacesUnhealthy()
            && !seen.clusterGoes()
            && untouched
            && seen.isStableCluster()
            && seen.job() instanceof Alive alive
            && alive.isUp());
  }

  private static boolean isOtherThanStable(Observation seen) {
    return seen.frozen() != null
        && !Objects.equals(seen.frozen().generation(), seen.stableGeneration());
  }

  /**
   * What the job, or session cluster, that is there was started from, if it is the target's own.
   */
  static @Nullable RestorePoint startedFrom(Observation seen, Target target) {
    RestorePoint recorded = seen.recorded();
    return recorded != null
            && seen.frozen() != null
            && seen.isFrozen(target)
            && seen.cluster().present()
            && recorded.starts(seen.cluster().jobId())
            && Objects.equals(seen.cluster().generation(), seen.frozen().generation())
        ? recorded
        : null;
  }

  /** How a session cluster goes whose first deployment is given up. */
  public static Decision takeDown(Observation seen, boolean retry) {
    return new SessionPlanner(seen, new Tried(true, retry, null, null)).takeDown();
  }

  /**
   * Whether the session cluster of the last stable spec is still there, untouched: it goes in one
   * step, and its jobs with it, so that whoever gives the newer spec up keeps both.
   */
  public static boolean keepsSession(Observation seen) {
    return seen.isSession()
        && seen.begun()
        && seen.stableGeneration() != null
        && isOtherThanStable(seen)
        && seen.isStableCluster();
  }

  /** Null when a retry was requested and the job is not up. */
  private @Nullable Decision started(RestorePoint recorded, boolean retry) {
    String jobId = Objects.requireNonNull(seen.cluster().jobId());
    if (seen.job() instanceof Ended ended) {
      if (ended.state() == FlinkJobState.FINISHED) {
        return new AwaitStarted(jobId, recorded.state(), true, "The new job has finished.");
      }
      return retry || FirstStart.isCorrected(seen, target, ended) ? null : failed(ended);
    }
    boolean up = seen.job() instanceof Alive alive && alive.isUp();
    // Flink never had it, which is known on a session cluster only, and an earlier run was about to
    // start another one in its place
    boolean givenUp =
        seen.job() instanceof Absent
            && seen.cluster().jobManager() == JobManager.NEVER_READY
            && !recorded.startedJob().equals(seen.cluster().jobId());
    if ((retry && !up) || givenUp) {
      return null;
    }
    String why = up ? "The new job is up." : "The new job is already started.";
    return new AwaitStarted(jobId, recorded.state(), up, why);
  }

  /** The target's own job, of which it is not known that it is no use; null when it is none. */
  private @Nullable Decision mayComeUp(RestorePoint recorded) {
    if (seen.job() instanceof Unreachable) {
      return started(recorded, false);
    }
    return seen.job() instanceof Alive alive && !tried.patient()
        ? new Settle("The job is " + alive.state() + ".")
        : null;
  }

  private Decision stateless() {
    boolean first = seen.stableGeneration() == null;
    StateRef start = first ? FirstStart.of(target) : StateRef.Empty.STATELESS;
    return Proceed.with(
        seen,
        Suspend.discarding(seen),
        new Restore.From(start, first),
        "upgradeMode is stateless." + FirstStart.told(start));
  }

  /**
   * What {@code sluice.dev/restore-from} says, once a retry was requested.
   *
   * @param why what the choice is needed for
   * @param otherwise without a choice
   */
  private Decision orChosen(Hold why, Decision otherwise) {
    String choice = tried.choice(seen);
    if (choice == null) {
      return otherwise;
    }
    StateRef state = choice.equals(EMPTY) ? CHOSEN_EMPTY : new StateRef.Savepoint(choice);
    if (choice.equals(RECORDED)) {
      if (seen.recorded() == null || seen.recorded().isSameJob()) {
        return why.withWhy(
                "sluice.dev/restore-from is 'recorded', but no savepoint or checkpoint is recorded. "
                    + why.why())
            .withOffersRestoreFrom(true);
      }
      state = seen.recorded().state();
    }
    return Proceed.with(
        seen,
        Suspend.discarding(seen),
        new Restore.Chosen(state, Objects.requireNonNull(seen.newest().restoreFrom())),
        "sluice.dev/restore-from is '" + choice + "'.");
  }
}
