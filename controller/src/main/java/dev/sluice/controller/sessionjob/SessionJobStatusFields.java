package dev.sluice.controller.sessionjob;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.controller.common.ConditionHistory;
import dev.sluice.controller.common.ControllerStatus;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.status.Lifecycle;
import dev.sluice.controller.status.LiveStatus;
import dev.sluice.controller.status.OperationConditions;
import dev.sluice.controller.status.ShownJob;
import dev.sluice.controller.status.StatusError;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which fields of a session job's status are the controller's, and what they are to say. */
final class SessionJobStatusFields
    implements ControllerStatus<FlinkSessionJob, FlinkSessionJobStatus> {

  private final Clock clock;

  /** Dates conditions by this clock. */
  SessionJobStatusFields(Clock clock) {
    this.clock = clock;
  }

  /** What is true now. */
  FlinkSessionJobStatus project(SeenSessionJob seen, ReconcileAction decision) {
    FlinkSessionJobStatus before = owned(seen.resource());
    if (tooEarly(seen, before)) {
      return before.withRequests(seen.requests().handled());
    }
    ConditionHistory history =
        ConditionHistory.of(before::condition, seen.generation(), clock.instant());
    List<Condition> conditions = new SessionJobConditions(seen, decision, history).all();
    JobStatus job = job(seen, before.jobStatus());
    boolean lost =
        (job != null && job.state() == FlinkJobState.FAILED) || LostSessionJob.of(seen).isPresent();
    return FlinkSessionJobStatus.EMPTY
        .withJobStatus(job)
        .withError(StatusError.of(seen, conditions).orElse(null))
        .withObservedGeneration(seen.generation())
        .withLifecycleState(
            Lifecycle.of(
                seen,
                new OperationConditions(seen, decision, history).isUnderway(),
                lost,
                seen.job().isPresent() || seen.ended().isPresent()))
        .withConditions(conditions)
        .withSnapshotTriggers(before.snapshotTriggers())
        .withRequests(seen.requests().handled());
  }

  /** While the answer of Flink is on its way, half of a new status is worse than the old one. */
  private static boolean tooEarly(SeenSessionJob seen, FlinkSessionJobStatus before) {
    return seen.wantsJob()
        && seen.observed().job() instanceof Pending
        && Objects.equals(before.observedGeneration(), seen.generation())
        && !before.conditions().isEmpty();
  }

  private static @Nullable JobStatus job(SeenSessionJob seen, @Nullable JobStatus last) {
    if (seen.observed().job() instanceof Pending) {
      return last;
    }
    if (seen.observed().job() instanceof Answered answered && answered.job().isPresent()) {
      Job job = answered.job().get();
      return ShownJob.of(job, last);
    }
    if (seen.phase() == ResourcePhase.SETTLED && seen.isSuspended()) {
      return last == null ? null : last.withState(FlinkJobState.SUSPENDED);
    }
    return seen.ended().isPresent() ? last : ShownJob.unknown(seen, last);
  }

  @Override
  public FlinkSessionJobStatus owned(FlinkSessionJob resource) {
    FlinkSessionJobStatus status = resource.getStatus();
    return FlinkSessionJobStatus.EMPTY
        .withJobStatus(status.jobStatus() == null ? null : ShownJob.ours(status.jobStatus()))
        .withError(status.error())
        .withObservedGeneration(status.observedGeneration())
        .withLifecycleState(status.lifecycleState())
        .withConditions(status.conditions())
        .withSnapshotTriggers(status.snapshotTriggers())
        .withRequests(status.requests());
  }

  @Override
  public FlinkSessionJobStatus withoutLive(FlinkSessionJobStatus status) {
    return status
        .withJobStatus(LiveStatus.hasEnded(status) ? status.jobStatus() : null)
        .withError(null)
        .withLifecycleState(LiveStatus.inFlight(status) ? status.lifecycleState() : null)
        .withConditions(LiveStatus.steady(status));
  }

  @Override
  public FlinkSessionJobStatus withoutTimes(FlinkSessionJobStatus status) {
    return status.withConditions(ConditionHistory.withoutTimes(status.conditions()));
  }

  @Override
  public FlinkSessionJobStatus minimal(
      FlinkSessionJob resource, FlinkSessionJobStatus refused, String why) {
    Long generation = Objects.requireNonNullElse(resource.getMetadata().getGeneration(), 0L);
    ConditionHistory history =
        ConditionHistory.of(resource.getStatus()::condition, generation, clock.instant());
    return FlinkSessionJobStatus.EMPTY
        .withObservedGeneration(generation)
        .withLifecycleState(refused.lifecycleState())
        .withRequests(refused.requests())
        .withSnapshotTriggers(refused.snapshotTriggers())
        .withConditions(List.of(LiveStatus.refused(history, why)));
  }
}
