package dev.sluice.workflows.plan;

import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.AwaitStarted;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Decision.StaySuspended;
import dev.sluice.workflows.plan.Plan.Restore;
import dev.sluice.workflows.plan.Plan.Suspend;
import org.jspecify.annotations.Nullable;

/** Decisions in the few words that the tables of the planner's tests are written in. */
final class DecisionWords {

  private DecisionWords() {}

  static String words(Decision decision) {
    if (decision instanceof Proceed proceed) {
      return suspend(proceed.plan().suspend()) + " -> " + restore(proceed.plan().restore());
    }
    if (decision instanceof Hold hold) {
      return (hold.blocked() ? "blocked " : "parked ") + hold.reason();
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
    if (suspend instanceof Suspend.StopWithSavepoint stop) {
      return "stop " + stop.jobId();
    }
    if (suspend instanceof Suspend.CancelAndKeepCheckpoint cancel) {
      return "cancel " + cancel.jobId();
    }
    if (suspend instanceof Suspend.DiscardUnprogressed discard) {
      return "discard unprogressed " + discard.jobId();
    }
    if (suspend instanceof Suspend.KeepHaMetadata keep) {
      return "keep metadata of " + keep.jobId();
    }
    return suspend instanceof Suspend.Discard discard ? "discard " + discard.jobId() : "none";
  }

  private static String restore(Restore restore) {
    if (restore instanceof Restore.FromSuspended) {
      return "suspended";
    }
    if (restore instanceof Restore.Instead instead) {
      return String.valueOf(instead.state().pathOrNull());
    }
    StateRef state =
        restore instanceof Restore.From from ? from.state() : ((Restore.Chosen) restore).state();
    return state(state);
  }

  private static String state(StateRef state) {
    if (state instanceof StateRef.HaMetadata) {
      return "metadata";
    }
    @Nullable String path = state.pathOrNull();
    return path == null ? "empty" : path;
  }
}
