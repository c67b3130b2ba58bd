package dev.sluice.workflows.procedure;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.InterruptedRun.Interrupt;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.plan.Decision;
import dev.sluice.workflows.procedure.Assessor.Goal;
import org.jspecify.annotations.Nullable;

/**
 * The runbook of Deploy, Upgrade, Suspend and Resume: reach the newest spec, or leave for what is
 * asked meanwhile. That of Recover is the same with the deployed spec, once it is known that the
 * job is lost.
 */
public final class UpgradeProcedure {

  private final OperationContext context;
  private final StepRunner steps;
  private final TargetProcedure target;
  private final AbortProcedure abort;
  private final RollbackAnswer answer;
  private final @Nullable RecoveryAttempt recovery;
  private @Nullable Rescaling rescaling;

  /** Reaches the newest spec within {@code context}. */
  public UpgradeProcedure(OperationContext context, StepRunner steps) {
    this(context, steps, Goal.NEWEST);
  }

  private UpgradeProcedure(OperationContext context, StepRunner steps, Goal goal) {
    this.context = context;
    this.steps = steps;
    this.target = new TargetProcedure(context, steps, goal, Ending.SUCCEEDED);
    this.abort = new AbortProcedure(context, steps, target);
    this.answer = new RollbackAnswer(context, steps);
    this.recovery = goal == Goal.DEPLOYED ? new RecoveryAttempt(context, steps, target) : null;
  }

  /** Brings the job of the deployed spec back, if it is still lost. */
  public static UpgradeProcedure recovering(OperationContext context, StepRunner steps) {
    return new UpgradeProcedure(context, steps, Goal.DEPLOYED);
  }

  /** Reaches the newest spec without stopping the job, if that can be done. */
  public static UpgradeProcedure rescaling(OperationContext context, StepRunner steps) {
    UpgradeProcedure procedure = new UpgradeProcedure(context, steps);
    procedure.rescaling = new Rescaling(context, steps, procedure.target);
    return procedure;
  }

  /** Returns when the spec runs, or when the operation was given up safely. */
  public OperationResult reach() {
    String aborts = context.input().aborts();
    if (aborts != null) {
      return leave(new Interrupt.Abort(aborts));
    }
    try {
      End early = recovery == null ? rescaled() : recovery.begin();
      return ended(early == null ? target.reach() : early);
    } catch (InterruptedRun interrupted) {
      return leave(interrupted.interrupt());
    }
  }

  /**
   * Null when it is no rescale. An upgrade that is under way goes on in a run that says so, except
   * that one that is cancelled cannot hand over.
   */
  private @Nullable End rescaled() {
    End end = rescaling == null ? null : rescaling.reach();
    if (rescaling != null && end == null) {
      rescaling = null;
      context.beginAnew(target::beginAnew);
      if (!context.cancelled()) {
        OperationResult unused = handOverToOther();
      }
    }
    return end;
  }

  /**
   * Another operation is under way, which may have stopped the job: what was asked of this run is
   * answered by that.
   */
  private OperationResult handOverToOther() {
    context.safePoint();
    return HandOver.to(
        context.forward(),
        context
            .next(
                context.signals().known(),
                "another operation is under way",
                restorePointFor(context.forward()))
            .withRollbackAsked(context.rollbackAsked())
            .withAbortAsked(context.signals().abortReason()));
  }

  private OperationResult ended(End end) {
    boolean upToDate = !(end instanceof End.Nothing it) || it.why() instanceof Decision.UpToDate;
    OperationResult result =
        end instanceof End.Nothing nothing ? nothing(nothing) : stable((End.Stable) end);
    if (context.rollbackAsked() && upToDate) {
      answer.carriedOut(context.target());
    } else if (context.rollbackAsked()) {
      answer.followed(context.signals().known());
    } else if (end instanceof End.Stable) {
      context.signals().abortTaken();
      context.safePoint();
    }
    return result;
  }

  private OperationResult stable(End.Stable stable) {
    return new OperationResult(
        result(stable), stable.target().target().generation(), stable.target().summary());
  }

  private String result(End.Stable stable) {
    if (stable.target().target().suspended()) {
      return OperationResult.SUSPENDED;
    }
    if (context.operation().equals(OperationType.RESUME.wire())) {
      return OperationResult.RESUMED;
    }
    if (recovery != null) {
      return OperationResult.RECOVERED;
    }
    if (rescaling != null) {
      return OperationResult.RESCALED;
    }
    Observation seen = target.last();
    boolean first = seen == null || seen.stableGeneration() == null;
    return first ? OperationResult.DEPLOYED : OperationResult.UPGRADED;
  }

  private OperationResult nothing(End.Nothing end) {
    String why = end.why().why();
    if (end.why() instanceof Decision.Reverted) {
      abort.startedFrom(rescaling == null ? null : rescaling.startedFrom());
      abort.keepOldJob(OperationState.SUCCEEDED, why);
      return new OperationResult(OperationResult.UP_TO_DATE, end.generation(), why);
    }
    context.done(why);
    boolean upToDate = end.why() instanceof Decision.UpToDate;
    Observation seen = target.last();
    if (!upToDate || steps.hasReported() || (seen != null && seen.operationOpen())) {
      // what only a worker can tell of a spec is told nowhere else; and an earlier report, of this
      // run or a lost one, would be read as an operation in progress
      reportNothing(upToDate, why);
    }
    return new OperationResult(
        upToDate ? OperationResult.UP_TO_DATE : OperationResult.SUPERSEDED, end.generation(), why);
  }

  private void reportNothing(boolean upToDate, String why) {
    steps.report(
        upToDate
            ? context.report(OperationState.SUCCEEDED, Step.REPORT, null, why, null)
            : context.report(
                OperationState.ABORTED,
                Step.REPORT,
                Reasons.INVALID_SPEC,
                why,
                EventReasons.VALIDATION_ERROR));
  }

  /** Whatever is asked for while the run is being left wins over what it was left for. */
  private OperationResult leave(Interrupt first) {
    Interrupt interrupt = first;
    while (true) {
      try {
        // a run of its own would not know what this one is left for
        context.beginAnew(() -> {});
        return leaveFor(interrupt);
      } catch (InterruptedRun again) {
        interrupt = again.interrupt();
      }
    }
  }

  private OperationResult leaveFor(Interrupt interrupt) {
    if (interrupt instanceof Interrupt.Newer newer) {
      answer.superseded();
      OperationType next = rescaling == null ? context.forward() : rescaling.next();
      return handOver(next, newer.generation(), "newer generation");
    }
    if (interrupt instanceof Interrupt.Abort asked) {
      context.answersRollback(context.rollbackAsked());
      context.signals().abortTaken();
      context.beginAnew(() -> abortAnew(asked.reason()));
      if (rescaling != null && !rescaling.undo()) {
        context.signals().abort(asked.reason());
        return context.cancelled()
            ? OperationResult.cancelled(context.forward())
            : handOverToOther();
      }
      Frozen reached = rescaling == null ? null : rescaling.reached();
      if (reached != null) {
        context.done("Too late to abort: generation " + context.target() + " is stable");
        return ended(new End.Stable(reached));
      }
      abort.startedFrom(rescaling == null ? null : rescaling.startedFrom());
      OperationResult aborted = abort.abort(asked.reason());
      if (aborted == null) {
        context.beginAnew(target::beginAnew);
        return ended(target.reach());
      }
      return aborted;
    }
    if (interrupt instanceof Interrupt.Delete) {
      if (rescaling != null) {
        // nothing happens where it is really deleted
        boolean unused = rescaling.undoIfPossible();
      }
      return handOver(OperationType.DELETE, context.target(), "deleted");
    }
    return OperationResult.gone();
  }

  /** The clean-up may fail for days: a run of its own goes on with it. */
  private void abortAnew(String reason) {
    OperationType running = OperationType.of(context.operation()).orElseThrow();
    OperationResult unused =
        HandOver.to(
            running,
            context
                .next(context.target(), "the history is long", restorePointFor(running))
                .withRollbackAsked(context.rollbackAsked())
                .withJobUntouched(rescaling != null && rescaling.isOnlyOperation())
                .withAborts(reason));
  }

  private OperationResult handOver(OperationType operation, long generation, String why) {
    if (context.cancelled()) {
      // a cancelled run can only close; the controller starts what is still to be done
      return OperationResult.cancelled(operation);
    }
    return HandOver.to(
        operation,
        context
            .next(generation, why, restorePointFor(operation))
            .withJobUntouched(rescaling != null && rescaling.isOnlyOperation()));
  }

  /**
   * The state that this run recorded, or found recorded. Only a rescale is told what the job was
   * started from: everybody else would take it for the newest state.
   */
  private @Nullable RestorePoint restorePointFor(OperationType next) {
    if (rescaling != null && rescaling.isOnlyOperation()) {
      return next == OperationType.RESCALE ? rescaling.startedFrom() : null;
    }
    Observation seen = target.last();
    return context.restorePoint() != null || seen == null
        ? context.restorePoint()
        : seen.recorded();
  }
}
