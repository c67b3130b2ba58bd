package dev.sluice.controller.sessionjob;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.ConditionHistory;
import dev.sluice.controller.common.ConditionStatus;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.status.JobWords;
import dev.sluice.controller.status.OperationConditions;
import dev.sluice.controller.status.OperationWords;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The four conditions of a session job, always in the same order. */
final class SessionJobConditions {

  private final SeenSessionJob seen;
  private final ConditionHistory history;
  private final OperationConditions operation;

  SessionJobConditions(SeenSessionJob seen, ReconcileAction decision, ConditionHistory history) {
    this.seen = seen;
    this.history = history;
    this.operation = new OperationConditions(seen, decision, history);
  }

  List<Condition> all() {
    return List.of(
        operation.ready().orElseGet(this::settled),
        operation.progressing(),
        operation.stalled().orElseGet(this::notHeld),
        running());
  }

  private Condition settled() {
    if (seen.isSuspended()) {
      return operation.ready(ConditionStatus.TRUE, Reasons.SUSPENDED, JobWords.suspended(seen));
    }
    Optional<Job> job = seen.job();
    if (job.isPresent()) {
      return of(job.get());
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

  private Condition of(Job job) {
    if (job.isUp()) {
      return ready(Reasons.UP_TO_DATE, "all tasks of its job run.");
    }
    if (job.state() == FlinkJobState.FINISHED) {
      return ready(Reasons.JOB_FINISHED, "its job has finished.");
    }
    return operation.ready(
        ConditionStatus.FALSE,
        Reasons.JOB_NOT_RUNNING,
        JobWords.notUp(job) + (job.state().isGloballyTerminal() ? nextStart() : ""));
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
    return "Job %s is %s.".formatted(ended.jobId(), ended.state()) + nextStart();
  }

  private static String nextStart() {
    return " It is not restarted automatically. [A new spec or restartNonce starts it.]";
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
            + " With high availability this means that the job has ended. [A new spec or restartNonce"
            + " starts it.]"
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
    if (seen.phase() == ResourcePhase.SETTLED && seen.isSuspended()) {
      return running(ConditionStatus.FALSE, Reasons.SUSPENDED, JobWords.suspended(seen));
    }
    Optional<Job> job = seen.job();
    if (job.isPresent()) {
      return running(
          ConditionStatus.of(job.get().state() == FlinkJobState.RUNNING),
          JobWords.camelCase(job.get().state()),
          JobWords.job(job.get()));
    }
    JobStatus ended = seen.ended().orElse(null);
    if (ended != null) {
      FlinkJobState state = Objects.requireNonNull(ended.state());
      return running(
          ConditionStatus.FALSE,
          JobWords.camelCase(state),
          state == FlinkJobState.FINISHED ? JobWords.finished(ended.jobId()) : endedWords(ended));
    }
    if (seen.observed().job() instanceof Pending) {
      return history.kept(ConditionTypes.RUNNING, Reasons.PENDING, OperationWords.NOT_ASKED);
    }
    if (seen.observed().job() instanceof Unreachable unreachable) {
      boolean missing = seen.cluster().readiness() == SeenCluster.Readiness.MISSING;
      return running(
          missing ? ConditionStatus.FALSE : ConditionStatus.UNKNOWN,
          Reasons.CLUSTER_NOT_READY,
          unreachable.why().replaceFirst("\\.$", "") + ".");
    }
    return running(ConditionStatus.FALSE, Reasons.JOB_NOT_RUNNING, unknown());
  }

  private Condition running(ConditionStatus status, String reason, String message) {
    return history.condition(ConditionTypes.RUNNING, status, reason, message);
  }

  private boolean isClusterReady() {
    return seen.cluster().readiness() == SeenCluster.Readiness.READY;
  }
}
