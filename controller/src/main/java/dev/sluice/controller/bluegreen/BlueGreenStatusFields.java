package dev.sluice.controller.bluegreen;

import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.common.JobStatus;
import dev.sluice.controller.common.ConditionHistory;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.reconcile.StatusProjection;
import dev.sluice.controller.status.ShownJob;
import dev.sluice.controller.status.StatusError;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which fields of the status are the controller's, and what they are to say. */
final class BlueGreenStatusFields
    implements StatusProjection<
        FlinkBlueGreenDeployment, FlinkBlueGreenDeploymentStatus, SeenBlueGreen> {

  private final Clock clock;

  /** Dates conditions by this clock. */
  BlueGreenStatusFields(Clock clock) {
    this.clock = clock;
  }

  @Override
  public FlinkBlueGreenDeploymentStatus project(SeenBlueGreen seen, ReconcileAction decision) {
    ConditionHistory history =
        ConditionHistory.of(seen.blueGreen()::condition, seen.generation(), clock.instant());
    List<Condition> conditions = new BlueGreenConditions(seen, decision, history).all();
    return FlinkBlueGreenDeploymentStatus.EMPTY
        .withJobStatus(job(seen))
        .withError(StatusError.of(seen, conditions).orElse(null))
        .withObservedGeneration(seen.generation())
        .withRequests(seen.requests().handled())
        .withConditions(conditions);
  }

  /** That of the child which is live; of the first one while none is. */
  private static @Nullable JobStatus job(SeenBlueGreen seen) {
    return seen.shownChild()
        .map(child -> child.main().status().jobStatus())
        .map(job -> ShownJob.ours(job).withUpgradeSavepointPath(job.upgradeSavepointPath()))
        .orElse(null);
  }

  @Override
  public FlinkBlueGreenDeploymentStatus owned(FlinkBlueGreenDeployment resource) {
    FlinkBlueGreenDeploymentStatus status = resource.getStatus();
    return FlinkBlueGreenDeploymentStatus.EMPTY
        .withJobStatus(status.jobStatus())
        .withError(status.error())
        .withObservedGeneration(status.observedGeneration())
        .withRequests(status.requests())
        .withConditions(status.conditions());
  }
}
