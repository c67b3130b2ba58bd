package dev.sluice.workflows.application;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.application.ApplicationDecision.Adopt;
import dev.sluice.workflows.application.ApplicationDecision.Begin;
import dev.sluice.workflows.application.ApplicationDecision.GiveUp;
import dev.sluice.workflows.application.ApplicationDecision.GoOn;
import dev.sluice.workflows.application.ApplicationDecision.Hold;
import dev.sluice.workflows.application.ApplicationDecision.Invalid;
import dev.sluice.workflows.application.ApplicationDecision.KeepBoth;
import dev.sluice.workflows.application.ApplicationDecision.Kind;
import dev.sluice.workflows.application.ApplicationDecision.Recover;
import dev.sluice.workflows.application.ApplicationDecision.RollBack;
import dev.sluice.workflows.application.ApplicationDecision.Settle;
import dev.sluice.workflows.application.ApplicationDecision.Settled;
import dev.sluice.workflows.application.ApplicationDecision.Stage;
import dev.sluice.workflows.application.ApplicationDecision.TearDown;
import dev.sluice.workflows.application.ApplicationMemory.GivingUp;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.InterruptedRun.Interrupt;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OutdatedStep;
import dev.sluice.workflows.operation.Rounds;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepRunner;
import io.temporal.workflow.Workflow;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The runbook of all operations on an application but its deletion: look, decide, do one step,
 * until the newest spec is reached or given up. Between two steps it listens to what is asked for.
 * What is another operation's is handed to that.
 */
final class ApplicationProcedure {

  private final OperationType operation;
  private final OperationContext context;
  private final StepRunner steps;
  private final ApplicationMemory memory;
  private final ApplicationLog log;
  private final VersionDeployment deployment;
  private final VersionRollback rollback;
  private final JobRecovery recovery;
  private final VersionTearDown tearDown;
  private final AdoptedJob jobs;
  private final ApplicationPlanner planner = new ApplicationPlanner();
  private final Rounds rounds;
  private boolean mayGoOn;

  ApplicationProcedure(OperationType operation, OperationContext context, StepRunner steps) {
    this.operation = operation;
    this.context = context;
    this.steps = steps;
    this.memory = new ApplicationMemory(context.input());
    this.log = new ApplicationLog(context, steps, memory);
    VersionSteps clusters = new VersionSteps(steps, log, memory);
    this.deployment = new VersionDeployment(context, steps, log, memory, clusters);
    this.rollback = new VersionRollback(context, log, memory, clusters);
    this.recovery = new JobRecovery(context, log, memory, clusters);
    this.tearDown = new VersionTearDown(context, log, memory, clusters);
    this.jobs = new AdoptedJob(log, memory);
    this.rounds = new Rounds(context, steps);
    context.beginAnew(() -> handOver(operation, "a long history"));
  }

  /** Returns when the newest spec is reached, or given up. */
  OperationResult reach() {
    while (true) {
      try {
        rounds.look(why -> log.blocked(Step.OBSERVE, why.type(), why.message()));
        OperationResult result = round();
        if (result != null && !goesOnAfterEnd()) {
          return result;
        }
      } catch (OutdatedStep step) {
        rounds.outdated(step);
      } catch (InterruptedRun interrupted) {
        Interrupt interrupt = interrupted.interrupt();
        if (interrupt instanceof Interrupt.Delete) {
          return handOver(OperationType.DELETE, "deleted");
        }
        if (interrupt instanceof Interrupt.Abort abort) {
          context.signals().abortTaken();
          memory.givesUp(GivingUp.asked(abort.reason()));
        } else if (interrupt instanceof Interrupt.Gone) {
          throw interrupted;
        }
      }
    }
  }

  private @Nullable OperationResult round() {
    Optional<ApplicationSeen> seen = log.observe();
    if (seen.isEmpty()) {
      return null;
    }
    if (seen.get().deleting()) {
      return handOver(OperationType.DELETE, "deleted");
    }
    context.safePoint();
    context.beginAnewIfLong();
    if (jobs.isFound(seen.get())) {
      return null;
    }
    ApplicationDecision next =
        planner.decide(seen.get(), memory.asked(), Workflow.currentTimeMillis());
    OperationType type = operationOf(next);
    if (type != operation) {
      return handOver(type, next.why());
    }
    rounds.carryOut(next, next.why(), next instanceof Hold);
    OperationResult result = carryOut(next);
    rounds.carriedOut();
    return result;
  }

  private @Nullable OperationResult carryOut(ApplicationDecision next) {
    mayGoOn = true;
    if (next instanceof Begin begin) {
      deployment.begin(begin);
    } else if (next instanceof Adopt adopt) {
      deployment.adopt(adopt);
    } else if (next instanceof Settle) {
      memory.settles();
    } else if (next instanceof Hold hold) {
      tooLate(log.known().isSettled());
      hold(hold);
    } else if (next instanceof GoOn goOn) {
      tooLate(goOn.stage() == Stage.CUT_OVER || goOn.stage() == Stage.REMOVE_OLD);
      return deployment.goOn(goOn);
    } else if (next instanceof GiveUp giveUp) {
      return rollback.giveUp(giveUp.why());
    } else if (next instanceof RollBack back) {
      return rollback.rollBack(back.why());
    } else if (next instanceof Recover recover) {
      tooLate(true);
      return recovery.recover(recover);
    } else if (next instanceof TearDown remove) {
      tooLate(true);
      return tearDown.tearDown(remove);
    } else {
      return atRest(next);
    }
    return null;
  }

  private void hold(Hold hold) {
    if (hold.blocked()) {
      log.blocked(Step.OBSERVE, hold.reason(), hold.why());
    } else {
      log.parked(Step.OBSERVE, hold.reason(), hold.why());
    }
  }

  /** There is nothing to go back to. */
  private void tooLate(boolean late) {
    if (late && memory.givingUp() != null) {
      memory.goesOn();
      context.done("Too late to abort");
    }
  }

  private @Nullable OperationResult atRest(ApplicationDecision next) {
    mayGoOn = false;
    if (next instanceof KeepBoth both) {
      tooLate(true);
      return tearDown.keepBoth(both);
    }
    context.signals().forgetRetry();
    if (next instanceof Invalid invalid) {
      if (steps.hasReported() || log.saysUnderWay()) {
        steps.report(
            context.report(
                OperationState.ABORTED,
                Step.REPORT,
                Reasons.INVALID_SPEC,
                invalid.why(),
                EventReasons.VALIDATION_ERROR));
      }
      memory.ended();
      return new OperationResult(
          OperationResult.SUPERSEDED, log.known().settledGeneration(), invalid.why());
    }
    return settled((Settled) next);
  }

  private OperationResult settled(Settled settled) {
    boolean failed = settled.record().hashes().failed() != null;
    OperationState state = failed ? OperationState.FAILED : OperationState.SUCCEEDED;
    GivingUp givingUp = memory.givingUp();
    log.settle(
        settled.record(),
        context.report(
            givingUp == null ? state : givingUp.state(),
            Step.RECORD_VERSIONS,
            givingUp == null ? (failed ? Reasons.OPERATION_FAILED : null) : givingUp.reason(),
            settled.why(),
            null));
    memory.ended();
    return new OperationResult(
        OperationResult.UP_TO_DATE, settled.record().settledGeneration(), settled.why());
  }

  /** Which operation a decision is part of. */
  private OperationType operationOf(ApplicationDecision next) {
    if (next instanceof Begin && memory.asked().stuck()) {
      // another run would not know that what is begun cannot be ended
      return operation;
    }
    if (next instanceof Begin begin) {
      return begin.kind() == Kind.IN_PLACE ? OperationType.RESCALE : OperationType.DEPLOY;
    }
    if (next instanceof GoOn || next instanceof GiveUp || next instanceof RollBack) {
      return ApplicationLook.isInPlace(log.known()) ? OperationType.RESCALE : OperationType.DEPLOY;
    }
    if (next instanceof TearDown) {
      return OperationType.TEAR_DOWN;
    }
    if (next instanceof Recover) {
      return OperationType.RECOVER;
    }
    return next instanceof Adopt ? OperationType.DEPLOY : operation;
  }

  /** What comes as soon as the status says that the operation has ended is for this run. */
  private boolean goesOnAfterEnd() {
    // an abort that came too late for this one is not meant for the next
    context.signals().abortTaken();
    if (context.cancelled()) {
      return false;
    }
    if (context.signals().retryAsked()) {
      context.signals().forgetRetry();
      memory.retryAsked();
      return true;
    }
    context.safePoint();
    return mayGoOn && log.seen().generation() > log.known().settledGeneration();
  }

  private OperationResult handOver(OperationType type, String why) {
    if (context.cancelled()) {
      return OperationResult.cancelled(type);
    }
    OperationInput next = context.input().next(context.signals().known(), why);
    GivingUp givingUp = memory.givingUp();
    if (type != OperationType.DELETE
        && givingUp != null
        && givingUp.state() == OperationState.ABORTED) {
      next = next.withAborts(givingUp.why());
    }
    VersionRef deployed = log.known().deployed();
    if (memory.asked().stuck() && deployed != null) {
      next = next.withLostJob(deployed.jobId());
    }
    return HandOver.to(ApplicationTypes.of(type), next.withRetry(memory.wantsAgain()));
  }
}
