package dev.sluice.workflows.plan;

import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.AwaitStarted;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Decision.StaySuspended;
import dev.sluice.workflows.plan.Plan.Restore;
import dev.sluice.workflows.plan.Plan.Suspend;
import dev.sluice.workflows.plan.Plan.Suspend.How;
import org.jspecify.annotations.Nullable;

/** Decisions in the few words that the tables of the planner's tests are written in. */
final class DecisionWords {

  private DecisionWords() {}

  static String words(Decision decision) {
    if (decision instanceof Proceed proceed) {
      Plan plan = proceed.plan();
      return plan.teardown().jobs() == null
          ? suspend(plan.suspend()) + " -> " + restore(plan.restore())
          : (plan.suspend().how() == How.SESSION_JOBS ? "suspend session jobs, " : "")
              + "replace, jobs "
              + plan.teardown().jobs();
    }
    if (decision instanceof Hold hold) {
      return (hold.blocked() ? "blocked " : "parked ")
          + hold.reason()
          + (hold.offersRestoreFrom() ? ", choose" : "");
    }
    if (decision instanceof AwaitStarted await) {
      return await.up() ? "await up" : "await";
    }
    if (decision instanceof StaySuspended stays) {
      StateRef left = stays.left();
      return left == null ? "stay suspended" : "stay suspended, " + state(left);
    }
    return decision.getClass().getSimpleName();
  }

  private static String suspend(Suspend suspend) {
    String how =
        switch (suspend.how()) {
          case NONE, SESSION_JOBS -> "none";
          case STOP_WITH_SAVEPOINT -> "stop ";
          case CANCEL_AND_KEEP_CHECKPOINT -> "cancel ";
          case KEEP_HA_METADATA -> "keep metadata of ";
          case DISCARD -> "discard ";
          case DISCARD_UNPROGRESSED -> "discard unprogressed ";
        };
    return suspend.jobId() == null ? how : how + suspend.jobId();
  }

  private static String restore(Restore restore) {
    StateRef state = restore.state();
    String from = state == null ? "suspended" : state(state);
    if (restore instanceof Restore.Instead it && it.left() != null) {
      return from + ", kept " + state(it.left());
    }
    return restore instanceof Restore.From it && it.initial() ? from + ", initial" : from;
  }

  private static String state(StateRef state) {
    if (state instanceof StateRef.HaMetadata) {
      return "metadata";
    }
    @Nullable String path = state.pathOrNull();
    return path == null ? "empty" : path;
  }
}
