package dev.sluice.controller.operation;

import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationInput.SeenUnhealthy;
import org.jspecify.annotations.Nullable;

/**
 * What a run is started with.
 *
 * @param type its workflow type
 * @param generation to reach; for a Rollback the one that is given up, for a Recover the newest
 * @param summary one line for Temporal's UI
 * @param details Markdown for Temporal's UI
 * @param retry requested by the user: with {@code sluice.dev/retry}, or, a Rollback, with {@code
 *     sluice.dev/rollback}
 * @param loss what a Recover is for; null for every other type
 * @param keepsCluster a Finish that only notes the end of the job
 */
public record NewRun(
    OperationType type,
    long generation,
    String summary,
    String details,
    boolean retry,
    @Nullable Loss loss,
    boolean keepsCluster) {

  /** A run of any type but Recover and Finish. */
  public NewRun(
      OperationType type, long generation, String summary, String details, boolean retry) {
    this(type, generation, summary, details, retry, null, false);
  }

  /** The same, which only notes the end of the job. */
  public NewRun keepingJobManager() {
    return new NewRun(type, generation, summary, details, retry, loss, true);
  }

  /** What the run is told of {@code resource}. */
  OperationInput input(ResourceRef resource) {
    Loss lost = loss;
    OperationInput asked =
        lost == null
            ? OperationInput.of(resource, generation, summary)
            : lost.of(OperationInput.of(resource, generation, lost.why()));
    OperationInput finishing = keepsCluster ? asked.withKeepsCluster(true) : asked;
    return retry ? finishing.asRetry() : finishing;
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

    private OperationInput of(OperationInput asked) {
      return unhealthy == null ? asked.recovering(cause) : asked.restarting(unhealthy);
    }
  }
}
