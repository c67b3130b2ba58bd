package dev.sluice.controller.operation;

import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationInput.SeenUnhealthy;
import org.jspecify.annotations.Nullable;

/**
 * What a run is started with.
 *
 * @param workflow its workflow type
 * @param type of the operation
 * @param input its input
 * @param summary one line for Temporal's UI
 * @param details Markdown for Temporal's UI
 */
public record NewRun(
    String workflow, OperationType type, OperationInput input, String summary, String details) {

  /** The generation to reach; of a Rollback the one that is given up, of a Recover the newest. */
  public long generation() {
    return input.generation();
  }

  /**
   * How a job was lost.
   *
   * @param cause of what kind it is
   * @param why in words, without a full stop
   * @param unhealthy the job that is not healthy; null for every other cause
   */
  public record Loss(RecoveryCause cause, String why, @Nullable SeenUnhealthy unhealthy) {

    /** A job that is gone or has failed. */
    public Loss(RecoveryCause cause, String why) {
      this(cause, why, null);
    }
  }
}
