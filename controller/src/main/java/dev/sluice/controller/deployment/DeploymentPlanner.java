package dev.sluice.controller.deployment;

import dev.sluice.api.common.OperationType;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.NewRun.Loss;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.reconcile.LanePlanner;
import org.jspecify.annotations.Nullable;

/** Decides that a FlinkDeployment needs an operation. */
public final class DeploymentPlanner extends LanePlanner<SeenDeployment> {

  private DeploymentPlanner(SeenDeployment seen) {
    super(seen);
  }

  /** What to do now. */
  public static ReconcileAction decide(SeenDeployment seen) {
    return new DeploymentPlanner(seen).decide();
  }

  @Override
  protected boolean mayHaveMadeSomething() {
    return seen.status().reconciliationStatus() != null || seen.observed().cluster().present();
  }

  @Override
  protected @Nullable OperationType idle() {
    if (JobManagerShutdown.isDue(seen)) {
      return OperationType.FINISH;
    }
    return LostJob.of(seen).isPresent() ? OperationType.RECOVER : null;
  }

  @Override
  protected @Nullable OperationType again() {
    if (LostJob.onRetry(seen).isPresent()) {
      return OperationType.RECOVER;
    }
    boolean startsAgain =
        seen.phase() == ResourcePhase.GIVEN_UP
            || (seen.phase() == ResourcePhase.SETTLED && seen.isJobManagerMissing());
    return startsAgain ? seen.forward() : null;
  }

  @Override
  protected NewRun run(OperationType type, @Nullable Request request) {
    Loss loss = type == OperationType.RECOVER ? LostJob.begun(seen) : null;
    NewRun run = newRun(type, request, loss, "");
    return type == OperationType.FINISH && JobManagerShutdown.isTooEarly(seen)
        ? run.keepingJobManager()
        : run;
  }

  /** Of a Finish that of what runs, whatever the newest spec is. */
  @Override
  protected long generation(OperationType type) {
    Long frozen = seen.frozenGeneration();
    return type == OperationType.FINISH
        ? (frozen == null || frozen == 0 ? seen.generation() : frozen)
        : super.generation(type);
  }
}
