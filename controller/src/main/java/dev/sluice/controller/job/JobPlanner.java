package dev.sluice.controller.job;

import dev.sluice.api.common.OperationType;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.reconcile.LanePlanner;
import org.jspecify.annotations.Nullable;

/** Decides that a FlinkDeployment or FlinkSessionJob needs an operation. */
public final class JobPlanner extends LanePlanner<SeenJob<?, ?>> {

  private JobPlanner(SeenJob<?, ?> seen) {
    super(seen);
  }

  /** What to do now. */
  public static ReconcileAction decide(SeenJob<?, ?> seen) {
    return new JobPlanner(seen).decide();
  }

  @Override
  protected boolean mayHaveMadeSomething() {
    return seen.hasMadeSomething();
  }

  @Override
  protected @Nullable OperationType idle() {
    OperationType due = seen.due();
    return due == null && RecoveryDecision.of(seen).isPresent() ? OperationType.RECOVER : due;
  }

  @Override
  protected @Nullable OperationType again() {
    if (RecoveryDecision.onRetry(seen).isPresent()) {
      return OperationType.RECOVER;
    }
    return seen.phase() == ResourcePhase.GIVEN_UP ? seen.nextOperation() : seen.onRetry();
  }

  @Override
  protected NewRun run(OperationType type, @Nullable Request request) {
    NewRun run =
        newRun(
            type,
            request,
            type == OperationType.RECOVER ? RecoveryDecision.begun(seen) : null,
            seen.whereItRuns());
    boolean keeps = type == OperationType.FINISH && seen.keepsCluster();
    return new NewRun(
        run.workflow(), type, run.input().withKeepsCluster(keeps), run.summary(), run.details());
  }

  /** Of a Finish that of what runs, whatever the newest spec is. */
  @Override
  protected long generation(OperationType type) {
    Long frozen = seen.frozenGeneration();
    return type == OperationType.FINISH && frozen != null && frozen != 0
        ? frozen
        : super.generation(type);
  }
}
