package dev.sluice.controller.sessionjob;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.controller.common.ConditionHistory;
import dev.sluice.controller.common.ConditionStatus;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.reconcile.StatusProjection;
import dev.sluice.controller.sessionjob.SeenCluster.Readiness;
import dev.sluice.controller.snapshot.JobSnapshots;
import dev.sluice.controller.status.JobWords;
import dev.sluice.controller.status.Lifecycle;
import dev.sluice.controller.status.OperationConditions;
import dev.sluice.controller.status.OperationConditions.Finding;
import dev.sluice.controller.status.ShownJob;
import dev.sluice.controller.status.StatusError;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
    JobSnapshots.Outcome asked = seen.observed().asked();
    FlinkSessionJobStatus state = state(seen, decision);
    return asked == null ? state : state.withSnapshotTriggers(asked.triggers().orNull());
  }

  private FlinkSessionJobStatus state(SeenSessionJob seen, ReconcileAction decision) {
    FlinkSessionJobStatus before = owned(seen.resource());
    if (tooEarly(seen, before)) {
      return before.withRequests(seen.requests().handled());
    }
    ConditionHistory history =
        ConditionHistory.of(before::condition, seen.generation(), clock.instant());
    List<Condition> conditions = new Conditions(seen, decision, history).all();
    JobStatus job = job(seen, before.jobStatus());
    boolean lost =
        (job != null && job.state() == FlinkJobState.FAILED) || LostSessionJob.of(seen).isPresent();
    return FlinkSessionJobStatus.EMPTY
        .withJobStatus(job)
        .withError(StatusError.of(seen, conditions, job, before.error()).orElse(null))
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
    if (seen.restsSuspended()) {
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

  /** The four conditions of a session job, always in the same order. */
  private static final class Conditions {

    private static final String NEXT_START =
        " It is not restarted automatically. [A new spec or restartNonce starts it.]";

    private final SeenSessionJob seen;
    private final OperationConditions operation;
    private final boolean clusterReady;

    Conditions(SeenSessionJob seen, ReconcileAction decision, ConditionHistory history) {
      this.seen = seen;
      this.operation = new OperationConditions(seen, decision, history);
      this.clusterReady = seen.cluster().readiness() == Readiness.READY;
    }

    List<Condition> all() {
      Finding found = found();
      return operation.all(found::ready, this::notHeld, found.running());
    }

    private Finding found() {
      if (seen.restsSuspended()) {
        return operation.suspended();
      }
      Job job = seen.job().orElse(null);
      if (job != null) {
        return new Finding(
            operation.ready(job, this::deployed, NEXT_START), operation.running(job));
      }
      JobStatus ended = seen.ended().orElse(null);
      if (ended != null) {
        FlinkJobState state = Objects.requireNonNull(ended.state());
        return operation.ended(
            state,
            state == FlinkJobState.FINISHED
                ? JobWords.finished(ended.jobId())
                : "Job %s is %s.".formatted(ended.jobId(), state) + NEXT_START,
            deployed(Reasons.JOB_FINISHED, "its job has finished."));
      }
      if (seen.observed().job() instanceof Pending) {
        return operation.notAsked();
      }
      return seen.observed().job() instanceof Unreachable unreachable
          ? silent(unreachable.why().replaceFirst("\\.$", "") + ".")
          : operation.both(
              ConditionStatus.FALSE, ConditionStatus.FALSE, Reasons.JOB_NOT_RUNNING, unknown());
    }

    private Condition deployed(String reason, String what) {
      return operation.deployed(
          reason,
          seen.cluster().readiness() == Readiness.DELETING
              ? what + " " + seen.cluster().advice()
              : what);
    }

    /** "Unknown" is not "failed": the cluster may be there, and not answer. */
    private Finding silent(String why) {
      return new Finding(
          operation.ready(
              clusterReady ? ConditionStatus.UNKNOWN : ConditionStatus.FALSE,
              Reasons.CLUSTER_NOT_READY,
              clusterReady ? why : seen.cluster().advice()),
          operation.running(
              seen.cluster().readiness() == Readiness.MISSING
                  ? ConditionStatus.FALSE
                  : ConditionStatus.UNKNOWN,
              Reasons.CLUSTER_NOT_READY,
              why));
    }

    private String unknown() {
      String what =
          "The session cluster of FlinkDeployment %s does not know job %s."
              .formatted(seen.cluster().name(), seen.jobId());
      if (LostSessionJob.of(seen).isPresent()) {
        return what + " It is started again.";
      }
      return LostSessionJob.mayHaveEnded(seen)
          ? what
              + " With high availability this means that the job has ended. [A new spec or"
              + " restartNonce starts it.]"
          : what + " [To start it again, annotate with " + Annotations.RETRY + ".]";
    }

    /** No action is required, unless the cluster is not there while no operation is open. */
    private Condition notHeld() {
      boolean byItself = clusterReady || seen.cluster().readiness() == Readiness.NOT_READY;
      return byItself || !seen.wantsJob() || seen.job().isPresent() || seen.ended().isPresent()
          ? operation.notStalled()
          : operation.stalled(Reasons.CLUSTER_NOT_READY, seen.cluster().advice());
    }
  }
}
