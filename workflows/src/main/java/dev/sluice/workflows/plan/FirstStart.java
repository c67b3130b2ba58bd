package dev.sluice.workflows.plan;

import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Plan.Restore;
import java.util.Objects;

/**
 * What a job starts from as long as no job of the resource was ever stable, or has made a state of
 * its own: what the newest spec names, also where an attempt before was given up with another. A
 * state of its own goes first.
 */
final class FirstStart {

  private static final String NOT_USED =
      " initialSavepointPath has changed and is not used: what a job has left since, or what"
          + " restore-from named, goes first. To start from the path all the same, set"
          + " savepointRedeployNonce.";

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
    RestorePoint recorded = seen.recorded();
    return seen.stableGeneration() == null
        && recorded != null
        && recorded.initial()
        && recorded.starts(job.jobId())
        && !job.progressed()
        && !isSame(recorded.state(), of(target));
  }

  /** The decision; where it starts from what an earlier spec named, from what is named now. */
  static Decision asNamedNow(Observation seen, Target target, Decision decision) {
    boolean first =
        seen.stableGeneration() == null && seen.phase() != Observation.Phase.ROLLING_BACK;
    return first && decision instanceof Proceed it
        ? new Proceed(asNamedNow(seen, target, it.plan()))
        : decision;
  }

  private static Plan asNamedNow(Observation seen, Target target, Plan plan) {
    RestorePoint recorded = seen.recorded();
    StateRef named = of(target);
    StateRef planned = plan.restore() instanceof Restore.From from ? from.state() : null;
    boolean initial = recorded == null || recorded.initial();
    if (initial && planned != null && isSame(planned, named)) {
      return from(named, plan, plan.why() + told(named));
    }
    if (recorded != null && initial && planned != null && planned.equals(recorded.state())) {
      String why =
          "%s It starts from %s, which the spec names now, in place of %s."
              .formatted(plan.why(), named.display(), planned.display());
      return from(named, plan, why);
    }
    return isChanged(seen, target) && !named.equals(planned)
        ? new Plan(plan.suspend(), plan.restore(), plan.teardown(), plan.why() + NOT_USED)
        : plan;
  }

  private static Plan from(StateRef named, Plan plan, String why) {
    return new Plan(plan.suspend(), new Restore.From(named, true), plan.teardown(), why);
  }

  private static boolean isChanged(Observation seen, Target target) {
    String now = target.initialSavepointPath();
    RestorePoint recorded = seen.recorded();
    if (now == null) {
      return false;
    }
    if (recorded != null && recorded.initial()) {
      return !isSame(recorded.state(), of(target));
    }
    Target frozen = seen.frozen();
    return frozen != null && !Objects.equals(frozen.initialSavepointPath(), now);
  }

  private static boolean isSame(StateRef one, StateRef other) {
    boolean empty = one instanceof StateRef.Empty && other instanceof StateRef.Empty;
    return empty || one.equals(other);
  }
}
