package dev.sluice.workflows.plan;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
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
  record Hold(boolean blocked, String reason, String why, boolean offersRestoreFrom)
      implements Decision {}
}
