package dev.sluice.workflows.plan;

import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Plan.Restore;

/**
 * What a job starts from as long as no job of the resource was ever stable, or has made a state of
 * its own: what the newest spec names, also where an attempt before was given up with another.
 */
final class FirstStart {

  private FirstStart() {}

  /** What the spec names. */
  static StateRef of(Target target) {
    String initial = target.initialSavepointPath();
    return initial == null
        ? new StateRef.Empty("the job never ran")
        : new StateRef.Savepoint(initial);
  }

  /** What the plan adds about it; nothing where the spec names none. */
  static String told(StateRef named) {
    return named.pathOrNull() == null
        ? ""
        : " It starts from %s, which the spec names.".formatted(named.display());
  }

  /**
   * The job has failed before it had any state of its own, and the target names another one than it
   * was started from.
   */
  static boolean isCorrected(Observation seen, Target target, Ended job) {
    RestorePoint start = seen.startOf(job);
    return seen.stableGeneration() == null
        && start != null
        && start.initial()
        && !isSame(start.state(), of(target));
  }

  /** The decision; where it starts from what an earlier spec named, from what is named now. */
  static Decision asNamedNow(Observation seen, Target target, Decision decision) {
    RestorePoint recorded = seen.recorded();
    if (seen.stableGeneration() != null
        || seen.phase() == Observation.Phase.ROLLING_BACK
        || (recorded != null && !recorded.initial())
        || !(decision instanceof Proceed it)
        || !(it.plan().restore() instanceof Restore.From planned)) {
      return decision;
    }
    StateRef named = of(target);
    boolean follows =
        isSame(planned.state(), named)
            || (recorded != null && planned.state().equals(recorded.state()));
    return follows
        ? new Proceed(
            it.plan()
                .withRestore(new Restore.From(named, true))
                .withWhy(it.plan().why() + told(named)))
        : decision;
  }

  private static boolean isSame(StateRef one, StateRef other) {
    boolean empty = one instanceof StateRef.Empty && other instanceof StateRef.Empty;
    return empty || one.equals(other);
  }
}
