package dev.sluice.controller.sessionjob;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.condition.ConditionTypes;
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
import dev.sluice.controller.snapshot.JobSnapshots;
import dev.sluice.controller.status.JobWords;
import dev.sluice.controller.status.Lifecycle;
import dev.sluice.controller.status.OperationConditions;
import dev.sluice.controller.status.OperationWords;
import dev.sluice.controller.status.ShownJob;
import dev.sluice.controller.status.StatusError;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
    private final ConditionHistory history;
    private final OperationConditions operation;

    Conditions(SeenSessionJob seen, ReconcileAction decision, ConditionHistory history) {
      this.seen = seen;
      this.history = history;
      this.operation = new OperationConditions(seen, decision, history);
    }

    List<Condition> all() {
      return operation.all(this::settled, this::notHeld, running());
    }

    private Condition settled() {
      if (seen.isSuspended()) {
        return operation.ready(ConditionStatus.TRUE, Reasons.SUSPENDED, JobWords.suspended(seen));
      }
      Optional<Job> job = seen.job();
      if (job.isPresent()) {
        return operation.ready(job.get(), this::ready, NEXT_START);
      }
      Optional<JobStatus> ended = seen.ended();
      if (ended.isPresent()) {
        return ended.get().state() == FlinkJobState.FINISHED
            ? ready(Reasons.JOB_FINISHED, "its job has finished.")
            : history.keptFalse(
                ConditionTypes.READY, Reasons.JOB_NOT_RUNNING, endedWords(ended.get()));
      }
      if (seen.observed().job() instanceof Pending) {
        return history.kept(ConditionTypes.READY, Reasons.PENDING, OperationWords.NOT_ASKED);
      }
      if (seen.observed().job() instanceof Unreachable unreachable) {
        // "unknown" is not "failed": the cluster may be there, and not answer
        return isClusterReady()
            ? operation.ready(
                ConditionStatus.UNKNOWN, Reasons.CLUSTER_NOT_READY, unreachable.why() + ".")
            : operation.ready(
                ConditionStatus.FALSE, Reasons.CLUSTER_NOT_READY, seen.cluster().advice());
      }
      return operation.ready(ConditionStatus.FALSE, Reasons.JOB_NOT_RUNNING, unknown());
    }

    private Condition ready(String reason, String what) {
      String advice =
          seen.cluster().readiness() == SeenCluster.Readiness.DELETING
              ? " " + seen.cluster().advice()
              : "";
      return operation.ready(
          ConditionStatus.TRUE,
          reason,
          "Generation " + seen.generation() + " is deployed and " + what + advice);
    }

    private String endedWords(JobStatus ended) {
      return "Job %s is %s.".formatted(ended.jobId(), ended.state()) + NEXT_START;
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
      boolean byItself =
          isClusterReady() || seen.cluster().readiness() == SeenCluster.Readiness.NOT_READY;
      return byItself || !seen.wantsJob() || seen.job().isPresent() || seen.ended().isPresent()
          ? operation.notStalled()
          : operation.stalled(Reasons.CLUSTER_NOT_READY, seen.cluster().advice());
    }

    private Condition running() {
      if (seen.restsSuspended()) {
        return operation.running(
            ConditionStatus.FALSE, Reasons.SUSPENDED, JobWords.suspended(seen));
      }
      Optional<Job> job = seen.job();
      if (job.isPresent()) {
        return operation.running(job.get());
      }
      JobStatus ended = seen.ended().orElse(null);
      if (ended != null) {
        FlinkJobState state = Objects.requireNonNull(ended.state());
        return operation.running(
            ConditionStatus.FALSE,
            JobWords.camelCase(state),
            state == FlinkJobState.FINISHED ? JobWords.finished(ended.jobId()) : endedWords(ended));
      }
      if (seen.observed().job() instanceof Pending) {
        return history.kept(ConditionTypes.RUNNING, Reasons.PENDING, OperationWords.NOT_ASKED);
      }
      if (seen.observed().job() instanceof Unreachable unreachable) {
        boolean missing = seen.cluster().readiness() == SeenCluster.Readiness.MISSING;
        return operation.running(
            missing ? ConditionStatus.FALSE : ConditionStatus.UNKNOWN,
            Reasons.CLUSTER_NOT_READY,
            unreachable.why().replaceFirst("\\.$", "") + ".");
      }
      return operation.running(ConditionStatus.FALSE, Reasons.JOB_NOT_RUNNING, unknown());
    }

    private boolean isClusterReady() {
      return seen.cluster().readiness() == SeenCluster.Readiness.READY;
    }
  }
}
