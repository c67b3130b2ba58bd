package dev.sluice.controller.sessionjob;

import dev.sluice.api.common.OperationType;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.NewRun.Loss;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.reconcile.LanePlanner;
import org.jspecify.annotations.Nullable;

/**
 * Decides that a FlinkSessionJob needs an operation; the wait for its cluster is the workflow's.
 */
final class SessionJobPlanner extends LanePlanner<SeenSessionJob> {

  private SessionJobPlanner(SeenSessionJob seen) {
    super(seen);
  }

  /** What to do now. */
  static ReconcileAction decide(SeenSessionJob seen) {
    return new SessionJobPlanner(seen).decide();
  }

  /** Before Flink is asked to run a job, the status says which. */
  @Override
  protected boolean mayHaveMadeSomething() {
    return seen.status().reconciliationStatus() != null || seen.status().submission() != null;
  }

  /** A job that leaves a cluster gets the same spec again, on the cluster that comes next. */
  @Override
  protected @Nullable OperationType idle() {
    if (seen.phase() == ResourcePhase.SETTLED && seen.mustLeave()) {
      return OperationType.UPGRADE;
    }
    return LostSessionJob.of(seen).isPresent() ? OperationType.RECOVER : null;
  }

  @Override
  protected @Nullable OperationType again() {
    if (LostSessionJob.onRetry(seen).isPresent()) {
      return OperationType.RECOVER;
    }
    if (seen.phase() == ResourcePhase.GIVEN_UP) {
      return seen.forward();
    }
    return seen.mayLeaveAfterAll() ? OperationType.UPGRADE : null;
  }

  @Override
  protected NewRun run(OperationType type, @Nullable Request request) {
    Loss loss = type == OperationType.RECOVER ? LostSessionJob.begun(seen) : null;
    String on = "On session cluster `%s`.".formatted(seen.resource().getSpec().deploymentName());
    return newRun(type, request, loss, on);
  }
}
