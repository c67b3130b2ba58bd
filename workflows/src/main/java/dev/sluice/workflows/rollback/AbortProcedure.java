package dev.sluice.workflows.rollback;

import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.Steps;
import dev.sluice.workflows.resource.ResourceActivities;
import dev.sluice.workflows.restore.ClusterReplacement;
import org.jspecify.annotations.Nullable;

/** How a run gives its operation up: by leaving things as they are, or by bringing them back. */
public final class AbortProcedure {

  private static final String ABORTED = "Aborted";

  private final OperationContext run;
  private final Steps steps;

  /** Gives up within {@code run}. */
  public AbortProcedure(OperationContext run, Steps steps) {
    this.run = run;
    this.steps = steps;
  }

  /** The old job was not touched: only the status goes back. */
  public OperationResult untouched(String reason) {
    String message = "aborted before the job was touched: " + reason;
    boolean stable =
        steps.effect(
            Step.REPORT,
            "abort: the old spec stays",
            ResourceActivities.class,
            a ->
                a.freezeStable(steps.report(ABORTED, Step.REPORT, ABORTED, message, ABORTED))
                    .valid());
    if (!stable) {
      return takeDown(reason);
    }
    steps.done("aborted: " + reason);
    return new OperationResult(OperationResult.ABORTED, 0, message);
  }

  /**
   * The old job has stopped and its state is recorded: the last stable spec is restored from it, by
   * a run of its own.
   *
   * @param path the recorded state; null when the upgrade was stateless
   * @param stableGeneration the generation to go back to; null when there is none, so that only
   *     what was begun is taken down
   */
  public OperationResult fromStopped(
      String reason, @Nullable String path, @Nullable Long stableGeneration) {
    if (stableGeneration == null) {
      return takeDown(reason);
    }
    long givenUp = run.progress().targetGeneration();
    if (run.cancelled()) {
      // Temporal cannot continue a cancelled run as new: the same steps, here.
      return new RollbackProcedure(run, steps).lastStable(path, ABORTED);
    }
    return HandOver.to(
        OperationType.ROLLBACK, new OperationInput(run.resource(), givenUp, reason, path));
  }

  private OperationResult takeDown(String reason) {
    new ClusterReplacement(run, steps).deleteCluster();
    String message = "aborted the first deployment, nothing runs: " + reason;
    steps.report(steps.report(ABORTED, Step.REPORT, ABORTED, message, ABORTED));
    return new OperationResult(OperationResult.ABORTED, 0, message);
  }
}
