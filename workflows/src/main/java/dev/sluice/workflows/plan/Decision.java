package dev.sluice.workflows.plan;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.WithMethods;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Plan.Restore;
import dev.sluice.workflows.plan.Plan.Suspend;
import dev.sluice.workflows.plan.Plan.Suspend.How;
import dev.sluice.workflows.plan.Plan.Teardown;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a run does next. */
public sealed interface Decision {

  /** Why, in one sentence. */
  String why();

  /**
   * What is decided, whatever the words: a run that is held goes on once that is another.
   *
   * @param seen what it was decided from
   */
  default Object essence(Observation seen) {
    Object decided = getClass();
    if (this instanceof Hold hold) {
      decided =
          List.of(hold.reason(), hold.blocked(), seen.unmanagedJobs().stream().sorted().toList());
    } else if (this instanceof Proceed it) {
      decided = List.of(it.plan().suspend(), it.plan().restore(), it.plan().teardown());
    }
    boolean up = seen.job() instanceof Alive job && job.isUp();
    boolean ending =
        seen.job() instanceof Alive job
            && (job.state() == FlinkJobState.FAILING || job.state() == FlinkJobState.CANCELLING);
    return List.of(decided, seen.cluster().present(), seen.job().getClass(), up, ending);
  }

  /** The target runs and is stable. */
  record UpToDate(String why) implements Decision {}

  /** The newest spec is what the untouched old job runs: the operation has lost its purpose. */
  record Reverted(String why) implements Decision {}

  /** Too much is not known yet: observe again, with patience. */
  record Settle(String why) implements Decision {}

  /**
   * The target's own job was started already: wait for it, do not start another.
   *
   * @param jobId its id
   * @param restoredFrom what it was started from
   * @param up every task of it is up, or it has finished
   */
  record AwaitStarted(String jobId, StateRef restoredFrom, boolean up, String why)
      implements Decision {}

  /** Carry the plan out. */
  record Proceed(Plan plan) implements Decision {

    /** The cluster that is there, and no other, may go. */
    static Proceed with(Observation seen, Suspend suspend, Restore restore, String why) {
      return new Proceed(new Plan(suspend, restore, Teardown.of(seen.cluster()), why));
    }

    /** The job is stopped with a savepoint; of one that has ended, Flink is asked for that. */
    static Proceed stop(Observation seen, String jobId, String why) {
      return with(
          seen, new Suspend(How.STOP_WITH_SAVEPOINT, jobId), new Restore.FromSuspended(), why);
    }

    @Override
    public String why() {
      return plan.why();
    }
  }

  /**
   * No job is to run, none does, and what the last one left is recorded: only the spec changes.
   *
   * @param left what the job that is resumed later starts from; null when none ever ran
   */
  record StaySuspended(@Nullable StateRef left, String why) implements Decision {}

  /**
   * Nothing can be done now.
   *
   * @param blocked true when the cause may pass by itself, false when action is required
   * @param reason a documented constant, see {@code Reasons}
   * @param why what is wrong and what can be done
   * @param offersRestoreFrom whether the user may choose what to start from
   */
  @WithMethods
  record Hold(boolean blocked, String reason, String why, boolean offersRestoreFrom)
      implements Decision, DecisionHoldBuilder.With {

    static final String NEVER_WITHOUT =
        " Sluice never starts it without its state. To choose one, annotate with sluice.dev/restore-from"
            + " (recorded, empty, or the path of a savepoint or checkpoint) and sluice.dev/retry.";

    /** Action is required, and it is not the choice of a state. */
    static Hold parked(String reason, String why) {
      return new Hold(false, reason, why, false);
    }

    /** The newest state of the job is not known: the user may choose another one. */
    static Hold lost(boolean blocked, String why) {
      return new Hold(blocked, Reasons.STATE_NOT_FOUND, why + NEVER_WITHOUT, true);
    }
  }

  /** What is likely to pass: looked at once more with patience, then it blocks the run. */
  static Decision notYet(boolean patient, String why) {
    return patient ? new Hold(true, Reasons.BLOCKED, why, false) : new Settle(why);
  }
}
