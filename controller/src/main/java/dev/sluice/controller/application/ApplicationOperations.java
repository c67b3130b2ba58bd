package dev.sluice.controller.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.NewRun.Loss;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.reconcile.LanePlanner;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.ApplicationTypes;
import dev.sluice.workflows.application.VersionRef;
import org.jspecify.annotations.Nullable;

/** Decides that a FlinkApplication needs an operation. */
final class ApplicationOperations extends LanePlanner<SeenApplication> {

  private ApplicationOperations(SeenApplication seen) {
    super(seen);
  }

  /** What to do now. */
  static ReconcileAction decide(SeenApplication seen) {
    return new ApplicationOperations(seen).decide();
  }

  /** Before a cluster is made, the status says which; that of Lyft's operator counts, too. */
  @Override
  protected boolean mayHaveMadeSomething() {
    return seen.isLyfts() || seen.resource().getStatus().deployment() != null;
  }

  @Override
  protected String workflow(OperationType type) {
    return ApplicationTypes.of(type);
  }

  @Override
  protected boolean rollsBack() {
    return false;
  }

  @Override
  protected @Nullable OperationType idle() {
    return LostVersion.of(seen).isPresent() ? OperationType.RECOVER : null;
  }

  @Override
  protected @Nullable OperationType again() {
    return seen.phase() == ResourcePhase.GIVEN_UP ? seen.nextOperation() : null;
  }

  @Override
  protected OperationType openType() {
    OperationStatus operation = seen.operation();
    if (operation != null
        && operation.isOpen()
        && operation.type() != null
        && operation.type() != OperationType.DELETE) {
      return operation.type();
    }
    return seen.isBegun() ? begun(seen.record()) : seen.nextOperation();
  }

  /** The operation that has left this phase behind. */
  static OperationType begun(ApplicationRecord record) {
    VersionRef target = record.target();
    VersionRef deployed = record.deployed();
    if (record.phase() == ApplicationPhase.DELETING) {
      return OperationType.DELETE;
    }
    if (record.phase() == ApplicationPhase.DUAL_RUNNING) {
      return OperationType.TEAR_DOWN;
    }
    if (target == null) {
      return record.phase() == ApplicationPhase.RECOVERING
              || record.phase() == ApplicationPhase.SUBMITTING_JOB
          ? OperationType.RECOVER
          : OperationType.DEPLOY;
    }
    return deployed != null && target.cluster().equals(deployed.cluster())
        ? OperationType.RESCALE
        : OperationType.DEPLOY;
  }

  @Override
  protected NewRun run(OperationType type, @Nullable Request request) {
    return newRun(type, request, type == OperationType.RECOVER ? loss() : null, "");
  }

  private Loss loss() {
    return new Loss(
        RecoveryCause.JOB_MANAGER_MISSING,
        LostVersion.of(seen)
            .map(
                version ->
                    version.isJobAbsent()
                        ? "%s does not know job %s"
                            .formatted(version.ref().display(), version.ref().jobId())
                        : "The cluster %s is gone".formatted(version.ref().display()))
            .orElse("A recovery was begun and not finished"));
  }
}
