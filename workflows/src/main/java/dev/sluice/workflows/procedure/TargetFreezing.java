package dev.sluice.workflows.procedure;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.FreezeRequest;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Standing;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepRunner;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Freezes the spec that was planned for, and remembers what is frozen. */
final class TargetFreezing {

  private final OperationContext context;
  private final StepRunner steps;
  private @Nullable Frozen frozen;

  TargetFreezing(OperationContext context, StepRunner steps) {
    this.context = context;
    this.steps = steps;
  }

  /** What this run has frozen; null before it did. */
  @Nullable Frozen frozen() {
    return frozen;
  }

  /** The target is frozen already, by the operation itself. */
  void frozen(Frozen target) {
    frozen = target;
  }

  /**
   * Freezes the target, unless this run has done so before.
   *
   * @param next the step that follows, for the status
   * @param why what the plan says
   * @param limit of that step; null when it is short
   * @param stop the stop of the job that follows at once, or is pending; null for none
   */
  FreezeResult freeze(
      Assessment now, Step next, String why, @Nullable Duration limit, @Nullable PendingStop stop) {
    Frozen already = already(now);
    long generation = now.target().generation();
    if (already != null) {
      if (next == Step.SUSPEND_SESSION_JOBS) {
        // the FlinkSessionJobs go by the step that the status has
        String told = context.reaching(generation) + ". " + why;
        steps.report(context.report(OperationState.RUNNING, next, null, told, null));
      }
      return already;
    }
    Observation seen = now.seen();
    FreezeResult result =
        steps.run(
            Step.FREEZE_TARGET,
            "Freeze generation " + generation + ". " + why,
            ResourceActivities.class,
            a ->
                a.freezeTarget(
                    new FreezeRequest(
                        context.resource(),
                        context.run(),
                        generation,
                        seen.stableGeneration(),
                        seen.recorded() != null,
                        stop,
                        next.title(),
                        context.reaching(generation) + ". " + why,
                        limit == null ? null : context.in(limit),
                        seen.standing())));
    if (result instanceof Frozen is) {
      frozen = is;
      context.generations(seen.stableGeneration(), is.target().generation());
      context.done(
          "Generation %d frozen (%s). %s"
              .formatted(
                  is.target().generation(),
                  is.summary(),
                  is.warning() == null ? why : why + ". " + is.warning()));
    }
    return result;
  }

  /**
   * Why the target cannot be frozen. A rule that the observation found kept passes by itself: the
   * worker that observed has another default configuration than the one that froze.
   */
  static StepFailure failure(FreezeResult.Invalid invalid, Observation seen) {
    boolean mayPass = invalid.byRule() && seen.newest().problem() == null;
    return new StepFailure(Reasons.INVALID_SPEC, invalid.problem(), mayPass);
  }

  /** How the status stands once the target is frozen. */
  Standing standingOnceFrozen(Assessment now, @Nullable PendingStop stop) {
    Observation seen = now.seen();
    return already(now) != null
        ? seen.standing()
        : seen.standing().upgradingTo(now.target().generation(), seen.recorded() != null, stop);
  }

  /** What this run has frozen, if it is the target; else null. */
  private @Nullable Frozen already(Assessment now) {
    Frozen it = frozen;
    boolean same = it != null && it.target().generation() == now.target().generation();
    return same && now.seen().begun() ? it : null;
  }
}
