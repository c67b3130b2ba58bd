package dev.sluice.controller.deployment;

import dev.sluice.api.common.OperationType;
import dev.sluice.api.deployment.FrozenSpec;
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
  protected OperationType openType() {
    if (seen.phase().isOpen() && seen.isRollingBack()) {
      return OperationType.ROLLBACK;
    }
    if (seen.goal() > seen.target()) {
      return seen.forward();
    }
    return seen.isOpen(OperationType.RECOVER) ? OperationType.RECOVER : seen.forward();
  }

  @Override
  protected NewRun run(OperationType type, @Nullable Request request) {
    Loss loss = type == OperationType.RECOVER ? LostJob.begun(seen) : null;
    NewRun run = newRun(type, generation(type), request, loss, "");
    return type == OperationType.FINISH && JobManagerShutdown.isTooEarly(seen)
        ? run.keepingJobManager()
        : run;
  }

  private long generation(OperationType type) {
    FrozenSpec frozen = seen.check().frozen();
    return switch (type) {
      case ROLLBACK -> seen.phase().isOpen() ? seen.target() : seen.generation();
      // what runs has finished, whatever the newest spec is
      case FINISH ->
          frozen == null || frozen.generation() == 0 ? seen.generation() : frozen.generation();
      case DELETE -> seen.generation();
      default -> seen.goal();
    };
  }
}
