package dev.sluice.controller.status;

import dev.sluice.api.common.LifecycleState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.controller.operation.ResourcePhase;
import java.util.Objects;

/**
 * The one word that Apache's operator publishes, by the order of its {@code
 * CommonStatus.getLifecycleState}; where that reads the text of an error, this reads typed fields.
 * Unlike there, what is not there or does not answer is not STABLE.
 */
public final class Lifecycle {

  private Lifecycle() {}

  /**
   * @param underway an operation is at work, or about to be
   * @param lost the job has failed, or what runs it is gone
   * @param answers Flink reports the job, or need not be asked any more
   */
  public static LifecycleState of(
      SeenResource seen, boolean underway, boolean lost, boolean answers) {
    if (seen.phase() == ResourcePhase.DELETING) {
      return LifecycleState.DELETING;
    }
    ReconciliationStatus reconciliation = seen.status().reconciliationStatus();
    ReconciliationState state = reconciliation == null ? null : reconciliation.state();
    if (state == ReconciliationState.ROLLING_BACK) {
      return LifecycleState.ROLLING_BACK;
    }
    // already from the start of an operation: the freeze that follows then changes nothing here
    boolean changes = underway && !seen.isOpen(OperationType.RECOVER);
    if (changes) {
      return LifecycleState.UPGRADING;
    }
    if (state == ReconciliationState.UPGRADING) {
      // a first deployment that was given up leaves nothing to go back to
      return seen.phase() == ResourcePhase.GIVEN_UP
          ? LifecycleState.FAILED
          : LifecycleState.UPGRADING;
    }
    if (seen.frozenGeneration() == null || reconciliation == null) {
      return seen.violations().isEmpty() && !hasFailed(seen)
          ? LifecycleState.CREATED
          : LifecycleState.FAILED;
    }
    if (seen.isSuspended()) {
      return LifecycleState.SUSPENDED;
    }
    if (lost) {
      return LifecycleState.FAILED;
    }
    if (state == ReconciliationState.ROLLED_BACK) {
      return LifecycleState.ROLLED_BACK;
    }
    return answers
            && Objects.equals(reconciliation.lastReconciledSpec(), reconciliation.lastStableSpec())
        ? LifecycleState.STABLE
        : LifecycleState.DEPLOYED;
  }

  /** Whether the last operation has failed. */
  public static boolean hasFailed(SeenResource seen) {
    return seen.operation() != null && seen.operation().state() == OperationState.FAILED;
  }
}
