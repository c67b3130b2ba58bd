package dev.sluice.workflows.upgrade;

import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.job.StateTaken;
import dev.sluice.workflows.operation.FailureType;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.Interrupt;
import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.Steps;
import dev.sluice.workflows.resource.FreezeRequest;
import dev.sluice.workflows.resource.FrozenTarget;
import dev.sluice.workflows.resource.Observation;
import dev.sluice.workflows.resource.ObserveRequest;
import dev.sluice.workflows.resource.RecordStateRequest;
import dev.sluice.workflows.resource.ResourceActivities;
import dev.sluice.workflows.restore.ClusterReplacement;
import dev.sluice.workflows.rollback.AbortProcedure;
import dev.sluice.workflows.upgrade.UpgradePlan.NothingToDo;
import dev.sluice.workflows.upgrade.UpgradePlan.Park;
import dev.sluice.workflows.upgrade.UpgradePlan.Settle;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The runbook of Deploy and Upgrade: look, plan, freeze the target, take the job's state, record
 * it, replace the cluster, wait until it runs. Picks up from wherever an earlier run was
 * interrupted.
 */
public final class UpgradeProcedure {

  /** How long a job may take to settle (a JobManager that restarts, a job that recovers). */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final OperationContext run;
  private final Steps steps;
  private final UpgradePlanner planner = new UpgradePlanner();
  private final JobSuspension stateTaking;
  private final AbortProcedure goingBack;
  private @Nullable Long stableGeneration;

  /** Reaches the newest spec within {@code run}. */
  public UpgradeProcedure(OperationContext run, Steps steps) {
    this.run = run;
    this.steps = steps;
    this.stateTaking = new JobSuspension(run, steps);
    this.goingBack = new AbortProcedure(run, steps);
  }

  /** Returns when the newest spec runs, or when the operation was given up safely. */
  public OperationResult reach() {
    Suspended suspended;
    try {
      suspended = suspend();
    } catch (InterruptedRun interrupted) {
      return leave(interrupted.interrupt(), null, false);
    } catch (NothingNew nothing) {
      return nothing.outcome();
    }
    run.requests().holdAbort(false);
    try {
      new ClusterReplacement(run, steps).run(suspended.target(), suspended.path(), "Succeeded");
    } catch (InterruptedRun interrupted) {
      return leave(interrupted.interrupt(), suspended.path(), true);
    }
    return finished(suspended.target());
  }

  /** The target is frozen, the old job has stopped, and its state is recorded. */
  private record Suspended(FrozenTarget target, @Nullable String path) {}

  private Suspended suspend() throws NothingNew {
    while (true) {
      Observation seen = observe(Duration.ZERO);
      UpgradePlan plan = planner.plan(seen, false);
      if (plan instanceof Settle) {
        seen = observe(PATIENCE);
        plan = planner.plan(seen, true);
      }
      stableGeneration = seen.stableGeneration();
      if (plan instanceof NothingToDo nothing) {
        throw new NothingNew(
            new OperationResult(OperationResult.UP_TO_DATE, seen.generation(), nothing.why()));
      }
      boolean untouched = untouched(seen);
      run.requests().holdAbort(!untouched);
      run.jobRuns(untouched && Objects.equals(seen.job().state(), "RUNNING"));
      if (plan instanceof Park park) {
        steps.park(Step.OBSERVE, FailureType.STATE_NOT_FOUND, park.why());
        continue;
      }
      run.safePoint();
      FrozenTarget target = freeze(seen, plan);
      try {
        run.safePoint();
        StateTaken state = stateTaking.carryOut(plan, target);
        if (state != null) {
          return new Suspended(target, record(StartingPoint.of(seen, state.path())));
        }
      } catch (ActivityFailure failure) {
        steps.park(stateTaking.step(plan), failure);
      }
    }
  }

  private Observation observe(Duration patience) {
    String summary =
        patience.isZero()
            ? "look at the resource, its cluster and its job"
            : "wait until the job settles, at most " + patience.toSeconds() + " s";
    Observation seen =
        steps.finishing(
            Step.OBSERVE,
            summary,
            patience.isZero() ? null : patience,
            ResourceActivities.class,
            (a, deadline) -> a.observe(new ObserveRequest(run.resource(), patience.toMillis())));
    run.generations(seen.stableGeneration(), seen.generation());
    return seen;
  }

  private FrozenTarget freeze(Observation seen, UpgradePlan plan) throws NothingNew {
    String summary = "freeze generation " + seen.generation() + ": " + plan.why();
    FrozenTarget frozen =
        steps.effect(
            Step.FREEZE_TARGET,
            summary,
            ResourceActivities.class,
            a ->
                a.freezeTarget(
                    new FreezeRequest(
                        run.resource(),
                        run.operation(),
                        Workflow.getInfo().getWorkflowId(),
                        Workflow.getInfo().getRunId(),
                        seen.stableGeneration(),
                        seen.recordedState() != null,
                        stateTaking.step(plan).title())));
    if (!frozen.valid() && (!seen.upgrading() || frozen.generation() == 0)) {
      String why = "the newest spec is not valid, nothing was changed: " + frozen.problem();
      throw new NothingNew(
          new OperationResult(OperationResult.SUPERSEDED, frozen.generation(), why));
    }
    run.generations(seen.stableGeneration(), frozen.generation());
    steps.done(
        "generation %d frozen (%s); %s"
            .formatted(frozen.generation(), frozen.summary(), plan.why()));
    return frozen;
  }

  private @Nullable String record(StartingPoint start) {
    run.savepoint(start.path());
    run.jobRuns(false);
    steps.effect(
        Step.RECORD_STATE,
        start.summary(),
        ResourceActivities.class,
        a -> {
          a.recordState(
              new RecordStateRequest(
                  run.resource(),
                  start.path(),
                  Step.DELETE_CLUSTER.title(),
                  start.message(),
                  run.in(StepLimits.GONE)));
          return true;
        });
    steps.done(start.result());
    return start.path();
  }

  private OperationResult finished(FrozenTarget target) {
    Interrupt late = run.requests().interrupt();
    if (late instanceof Interrupt.Newer || late instanceof Interrupt.Delete) {
      return leave(late, null, true);
    }
    boolean first = stableGeneration == null;
    return new OperationResult(
        first ? OperationResult.DEPLOYED : OperationResult.UPGRADED,
        target.generation(),
        target.summary());
  }

  /** Whatever is asked for while the run is being left wins over what it was left for. */
  private OperationResult leave(Interrupt first, @Nullable String path, boolean stopped) {
    Interrupt interrupt = first;
    while (true) {
      try {
        return leaveFor(interrupt, path, stopped);
      } catch (InterruptedRun again) {
        interrupt = again.interrupt();
      }
    }
  }

  private OperationResult leaveFor(Interrupt interrupt, @Nullable String path, boolean stopped) {
    if (interrupt instanceof Interrupt.Newer newer) {
      return handOver(OperationType.UPGRADE, newer.generation(), "newer generation", path);
    }
    if (interrupt instanceof Interrupt.Abort abort) {
      run.requests().abortTaken();
      return stopped
          ? goingBack.fromStopped(abort.reason(), path, stableGeneration)
          : goingBack.untouched(abort.reason());
    }
    String why = interrupt instanceof Interrupt.Gone ? "resource is gone" : "deleted";
    return handOver(OperationType.DELETE, generation(), why, path);
  }

  private OperationResult handOver(
      OperationType operation, long generation, String why, @Nullable String path) {
    if (run.cancelled()) {
      // A cancelled run can only close; the controller starts what is still to be done.
      return new OperationResult(
          OperationResult.ABORTED, 0, "cancelled; still to do: " + operation);
    }
    return HandOver.to(
        operation,
        new OperationInput(run.resource(), generation, why, path)
            .withStopTrigger(stateTaking.stopInFlight()));
  }

  private long generation() {
    return run.progress().targetGeneration();
  }

  /** Whether the job of before this operation is there as it was. */
  private static boolean untouched(Observation seen) {
    return !seen.upgrading()
        || (seen.cluster().present()
            && Objects.equals(seen.cluster().generation(), seen.stableGeneration())
            && Objects.equals(seen.job().state(), "RUNNING"));
  }

  /** There is nothing to reach. */
  private static final class NothingNew extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient OperationResult outcome;

    NothingNew(OperationResult outcome) {
      super(outcome.message(), null, false, false);
      this.outcome = outcome;
    }

    OperationResult outcome() {
      return outcome;
    }
  }
}
