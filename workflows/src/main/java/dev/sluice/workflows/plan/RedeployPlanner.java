package dev.sluice.workflows.plan;

import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Deployed;
import dev.sluice.workflows.model.Observation.StateOptions;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Decision.Settle;
import dev.sluice.workflows.plan.GoalPlanner.Tried;
import dev.sluice.workflows.plan.Plan.Restore;
import dev.sluice.workflows.plan.Plan.Suspend;
import dev.sluice.workflows.plan.Plan.Suspend.How;
import org.jspecify.annotations.Nullable;

/**
 * Starts again from {@code initialSavepointPath}, because {@code savepointRedeployNonce} asks for
 * it. The job is suspended as in any other upgrade, so that what it leaves can be gone back to; but
 * what {@link StatePlanner} would hold the run for is given up. Pure.
 */
final class RedeployPlanner {

  private RedeployPlanner() {}

  /** A spec that is suspended leaves it to the one that resumes it. */
  static boolean isAsked(Target target) {
    return target.redeploys() && !target.suspended();
  }

  /** Its start is recorded: from then on that path is what its job starts from, in any mode. */
  static boolean isRecorded(Observation seen, Target target) {
    RestorePoint recorded = seen.recorded();
    String path = target.initialSavepointPath();
    return recorded != null
        && path != null
        && seen.isFrozen(target)
        && seen.stableGeneration() != null
        && recorded.state().equals(new StateRef.Savepoint(path));
  }

  static Decision decide(Observation seen, Target target, Tried tried) {
    String path = target.initialSavepointPath();
    if (path == null) {
      return Hold.parked(
          Reasons.INVALID_SPEC,
          "spec.job.initialSavepointPath: must be given when savepointRedeployNonce changes. Set it"
              + " to the savepoint to start from, or revert the nonce.");
    }
    Decision upgrade = upgrade(seen, target, tried);
    if (upgrade instanceof Settle
        || (upgrade instanceof Hold hold && hold.reason().equals(Reasons.BLOCKED))) {
      return upgrade;
    }
    boolean lives = seen.job() instanceof Alive;
    Suspend suspend = upgrade instanceof Proceed it ? it.plan().suspend() : Suspend.NONE;
    boolean takes =
        suspend.how() == How.CANCEL_AND_KEEP_CHECKPOINT
            || (suspend.how() == How.STOP_WITH_SAVEPOINT && (lives || !tried.retry()));
    StateRef start = new StateRef.Savepoint(path);
    StateRef left = takes ? null : left(seen, upgrade);
    if (left != null && (left.pathOrNull() == null || left.equals(start))) {
      left = null;
    }
    String kept =
        takes
            ? "What the one before leaves is kept, to go back to; if that fails, retry goes on"
                + " without it."
            : "Of the one before "
                + (left == null ? "nothing can be kept." : left.display() + " stays.");
    return Proceed.with(
        seen,
        takes ? suspend : Suspend.discarding(seen),
        new Restore.Instead(start, left),
        "savepointRedeployNonce: the job starts from %s. %s".formatted(start.display(), kept));
  }

  /**
   * What would be decided without the nonce: with a savepoint where one is possible, else with the
   * newest checkpoint. What only high-availability metadata has cannot be kept.
   */
  private static Decision upgrade(Observation seen, Target target, Tried tried) {
    Deployed deployed = seen.deployed();
    boolean canSave =
        deployed != null
            && deployed.savepointDirectory()
            && !(tried.retry() && tried.savepointFailed());
    Target usual =
        target
            .withOptions(StateOptions.DEFAULT)
            .withUpgradeMode(canSave ? UpgradeMode.SAVEPOINT : UpgradeMode.LAST_STATE);
    Observation without = seen.withDeployed(new Deployed(target.flinkVersion(), canSave, null));
    // a Deployment that is missing does not come back by itself
    boolean gone = seen.job() instanceof Unreachable && !seen.cluster().present();
    return new StatePlanner(without, usual, tried.patient() || gone).decide();
  }

  /** What is known to be there without a job that is suspended; null when nothing is. */
  private static @Nullable StateRef left(Observation seen, Decision upgrade) {
    if (upgrade instanceof Proceed it && it.plan().teardown().onlyWhile() == null) {
      return it.plan().restore().state();
    }
    // a cancellation deletes at most checkpoints of its own
    return seen.job() instanceof Alive job
            && (job.newest() instanceof StateRef.Savepoint || !job.progressed())
        ? job.newest()
        : null;
  }
}
