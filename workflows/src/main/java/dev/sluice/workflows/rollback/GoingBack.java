package dev.sluice.workflows.rollback;

import dev.sluice.api.deployment.OperationType;
import dev.sluice.workflows.lane.HandOver;
import dev.sluice.workflows.lane.LaneInput;
import dev.sluice.workflows.lane.LaneRun;
import dev.sluice.workflows.lane.Outcome;
import dev.sluice.workflows.lane.Step;
import dev.sluice.workflows.lane.Steps;
import dev.sluice.workflows.resource.ResourceActivities;
import dev.sluice.workflows.restore.ClusterRestore;
import org.jspecify.annotations.Nullable;

/** How a run gives its operation up: by leaving things as they are, or by bringing them back. */
public final class GoingBack {

  private static final String ABORTED = "Aborted";

  private final LaneRun run;
  private final Steps steps;

  /** Gives up within {@code run}. */
  public GoingBack(LaneRun run, Steps steps) {
    this.run = run;
    this.steps = steps;
  }

  /** The old job was not touched: only the status goes back. */
  public Outcome untouched(String reason) {
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
    return new Outcome(Outcome.ABORTED, 0, message);
  }

  /**
   * The old job has stopped and its state is recorded: the last stable spec is restored from it, by
   * a run of its own.
   *
   * @param path the recorded state; null when the upgrade was stateless
   * @param stableGeneration the generation to go back to; null when there is none, so that only
   *     what was begun is taken down
   */
  public Outcome fromStopped(
      String reason, @Nullable String path, @Nullable Long stableGeneration) {
    if (stableGeneration == null) {
      return takeDown(reason);
    }
    long givenUp = run.progress().targetGeneration();
    if (run.cancelled()) {
      // Temporal cannot continue a cancelled run as new: the same steps, here.
      return new Restoring(run, steps).lastStable(path, ABORTED);
    }
    return HandOver.to(
        OperationType.ROLLBACK, new LaneInput(run.resource(), givenUp, reason, path));
  }

  private Outcome takeDown(String reason) {
    new ClusterRestore(run, steps).deleteCluster();
    String message = "aborted the first deployment, nothing runs: " + reason;
    steps.report(steps.report(ABORTED, Step.REPORT, ABORTED, message, ABORTED));
    return new Outcome(Outcome.ABORTED, 0, message);
  }
}
