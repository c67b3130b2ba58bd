package dev.sluice.workflows.plan;

import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.common.WithMethods;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.plan.Decision.AwaitStarted;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Decision.UpToDate;
import dev.sluice.workflows.plan.Plan.Suspend.How;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the spec that a run has to reach, and decides how, from one observation. Pure.
 *
 * @param onSessionCluster the job runs on the session cluster of another resource
 */
public record GoalPlanner(boolean onSessionCluster) {

  /** Which spec is to be reached. */
  public enum Wanted {
    /** The newest one. */
    NEWEST,
    /** The one that is deployed, whose job is lost: a recovery. */
    DEPLOYED,
    /** The one that was frozen to go back to: a rollback. */
    FROZEN
  }

  /**
   * What was tried before, as far as the decision depends on it.
   *
   * @param patient the observation has already waited for things to settle
   * @param retry a retry was requested and is not answered
   * @param failedStop {@code SavepointFailed} or {@code StateNotFound} where the job could not be
   *     stopped so; null where it was not tried
   * @param lostJob the job whose newest state was not found when it was cancelled; null for none
   */
  @WithMethods
  public record Tried(
      boolean patient, boolean retry, @Nullable String failedStop, @Nullable String lostJob)
      implements GoalPlannerTriedBuilder.With {

    boolean savepointFailed() {
      return FailureType.SAVEPOINT_FAILED.equals(failedStop);
    }

    /**
     * What the user chose to start from ({@code sluice.dev/restore-from}); null without a retry.
     */
    @Nullable String choice(Observation seen) {
      String choice = seen.newest().restoreFrom();
      return !retry || choice == null || choice.isBlank() ? null : choice.trim();
    }
  }

  /**
   * What to do.
   *
   * @param target the spec to reach
   * @param decision how
   */
  public record Planned(Target target, Decision decision) {}

  /** What to do about that observation. */
  public Planned plan(Wanted wanted, Observation seen, Tried tried) {
    Decision ended =
        wanted == Wanted.NEWEST && onSessionCluster ? LeavingPlanner.ended(seen) : null;
    Planned planned = target(wanted, seen, tried);
    if (ended != null) {
      return new Planned(planned.target(), ended);
    }
    return planned.decision() instanceof Proceed proceed
        ? new Planned(
            planned.target(), unlessInVain(wanted, seen, planned.target(), proceed, tried))
        : planned;
  }

  /** The spec to reach; the first row that fits decides. */
  private static Planned target(Wanted wanted, Observation seen, Tried tried) {
    Target newest = seen.newest().target();
    Target frozen = seen.begun() ? seen.frozen() : null;
    boolean recovers = wanted == Wanted.DEPLOYED;
    if (wanted != Wanted.NEWEST) {
      return frozen == null
          ? new Planned(
              newest,
              new UpToDate("The %s is complete.".formatted(recovers ? "recovery" : "rollback")))
          : new Planned(
              frozen, decide(seen, recovers ? toRecover(seen, frozen) : withState(frozen), tried));
    }
    if (seen.isNewestGivenUp() && !tried.retry()) {
      return new Planned(newest, UpgradePlanner.givenUp(seen));
    }
    String problem = seen.newest().problem();
    if (frozen != null && (problem != null || seen.newest().sameAsFrozen())) {
      return goesOn(seen, newest, frozen, tried);
    }
    return new Planned(
        newest,
        problem == null
            ? decide(seen, newest, tried)
            : Hold.parked(Reasons.INVALID_SPEC, "The newest spec is not valid: " + problem));
  }

  /** What is begun goes on, unless there is no difference and the newest can be begun as well. */
  private static Planned goesOn(Observation seen, Target newest, Target frozen, Tried tried) {
    if (seen.newest().problem() == null && newest.generation() > frozen.generation()) {
      Decision asNewest = decide(seen, newest, tried);
      // a job that is started already is that of the frozen spec
      if (!(asNewest instanceof AwaitStarted)) {
        return new Planned(newest, asNewest);
      }
    }
    return new Planned(frozen, decide(seen, frozen, tried));
  }

  private static Decision decide(Observation seen, Target target, Tried tried) {
    return new UpgradePlanner(seen, target, tried).decide();
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

  /** A plan must not rest on what was looked for in vain. */
  private static Decision unlessInVain(
      Wanted wanted, Observation seen, Target target, Proceed plan, Tried tried) {
    String lost = tried.lostJob();
    boolean back = wanted == Wanted.FROZEN || seen.phase() == Phase.ROLLING_BACK;
    // what is recorded, given up or in the metadata does not rest on it, and of a job that is up
    // again a savepoint is possible
    boolean restsOnIt =
        lost != null
            && (seen.recorded() == null || seen.recorded().starts(lost))
            && !back
            && target.upgradeMode() != UpgradeMode.STATELESS
            && plan.plan().suspend().how() != How.KEEP_HA_METADATA
            && !(plan.plan().restore() instanceof Plan.Restore.Instead)
            && lost.equals(Objects.requireNonNullElse(jobThere(seen), lost))
            && !(seen.job() instanceof Alive alive && alive.isUp());
    if (lost != null && restsOnIt) {
      return new UpgradePlanner(seen, target, tried).onlyAsChosen(lost);
    }
    boolean inVain = FailureType.STATE_NOT_FOUND.equals(tried.failedStop());
    return inVain ? new UpgradePlanner(seen, target, tried).chosenInstead(plan) : plan;
  }

  /** The job that is observed; null when there is none, or it is not known. */
  private static @Nullable String jobThere(Observation seen) {
    if (seen.job() instanceof Alive alive) {
      return alive.jobId();
    }
    return seen.job() instanceof Ended ended ? ended.jobId() : seen.cluster().jobId();
  }
}
