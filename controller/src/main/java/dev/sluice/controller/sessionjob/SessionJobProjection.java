package dev.sluice.controller.sessionjob;

import dev.sluice.api.common.JobStatus;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.controller.job.RecoveryDecision;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.reconcile.StatusProjection;
import dev.sluice.controller.snapshot.JobSnapshots;
import dev.sluice.controller.status.ShownJob;
import dev.sluice.controller.status.StatusError;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.util.List;

/** The controller's part of the status of a FlinkSessionJob: what is true now. */
final class SessionJobProjection
    implements StatusProjection<FlinkSessionJob, FlinkSessionJobStatus, SeenSessionJob> {

  private final Clock clock;

  /** Dates conditions by this clock. */
  SessionJobProjection(Clock clock) {
    this.clock = clock;
  }

  @Override
  public FlinkSessionJobStatus project(SeenSessionJob seen, ReconcileAction decision) {
    FlinkSessionJobStatus before = owned(seen.resource());
    JobSnapshots.Outcome asked = seen.observed().asked();
    SessionJobView view = new SessionJobView(seen, decision, clock);
    return (view.isTooEarly() ? before : state(seen, view, before))
        .withRequests(seen.requests().handled())
        .withSnapshotTriggers(
            asked == null ? before.snapshotTriggers() : asked.triggers().orNull());
  }

  private static FlinkSessionJobStatus state(
      SeenSessionJob seen, SessionJobView view, FlinkSessionJobStatus before) {
    List<Condition> conditions = view.conditions();
    JobStatus job = view.job();
    return FlinkSessionJobStatus.EMPTY
        .withJobStatus(job)
        .withError(StatusError.of(seen, conditions, job, before.error()).orElse(null))
        .withObservedGeneration(seen.generation())
        .withLifecycleState(
            view.lifecycle(
                RecoveryDecision.of(seen).isPresent(),
                seen.job().isPresent() || seen.end().isPresent()))
        .withConditions(conditions);
  }

  @Override
  public FlinkSessionJobStatus owned(FlinkSessionJob resource) {
    FlinkSessionJobStatus status = resource.getStatus();
    return FlinkSessionJobStatus.EMPTY
        .withJobStatus(ShownJob.owned(status))
        .withError(status.error())
        .withObservedGeneration(status.observedGeneration())
        .withLifecycleState(status.lifecycleState())
        .withConditions(status.conditions())
        .withSnapshotTriggers(status.snapshotTriggers())
        .withRequests(status.requests());
  }
}
