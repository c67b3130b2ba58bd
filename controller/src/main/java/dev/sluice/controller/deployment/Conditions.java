package dev.sluice.controller.deployment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.ConditionHistory;
import dev.sluice.controller.common.ConditionStatus;
import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.observation.ClusterProblem;
import dev.sluice.controller.observation.ClusterProblem.Component;
import dev.sluice.controller.observation.ObservedCluster;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.observation.ObservedJob;
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
import java.util.Optional;

/** The four conditions, always in the same order. */
final class Conditions {

  private final SeenDeployment snapshot;
  private final ConditionHistory history;
  private final OperationConditions operation;
  private final boolean finishing;

  Conditions(SeenDeployment snapshot, ReconcileAction decision, ConditionHistory history) {
    this.snapshot = snapshot;
    this.history = history;
    this.operation = new OperationConditions(snapshot, decision, history);
    this.finishing =
        snapshot.phase() != ResourcePhase.DELETING && snapshot.isOpen(OperationType.FINISH);
  }

  List<Condition> all() {
    return List.of(ready(), operation.progressing(), stalled(), running());
  }

  private Condition ready() {
    if (keepsGivenUp()) {
      return history.kept(ConditionTypes.READY, Reasons.ABORTED, "");
    }
    if (finishing) {
      return settled(snapshot.observed().job());
    }
    return operation.ready().orElseGet(() -> settled(snapshot.observed().job()));
  }

  /**
   * A Finish has replaced the operation that gave the spec up: only the conditions still say so.
   */
  private boolean keepsGivenUp() {
    return (finishing || snapshot.phase() == ResourcePhase.GIVEN_UP)
        && snapshot.operation() != null
        && snapshot.operation().type() == OperationType.FINISH
        && DeploymentPhase.saidGivenUp(snapshot.status(), snapshot.generation());
  }

  private Condition settled(ObservedJob observed) {
    if (snapshot.isSuspended()) {
      return ready(ConditionStatus.TRUE, Reasons.SUSPENDED, JobWords.suspended(snapshot));
    }
    String deployed = "Generation " + snapshot.generation() + " is deployed and ";
    if (snapshot.isJobManagerMissing()) {
      return ready(
          ConditionStatus.FALSE,
          Reasons.JOB_MANAGER_MISSING,
          ConditionMessages.jobManagerMissing(snapshot));
    }
    if (snapshot.hasFinished()) {
      return ready(ConditionStatus.TRUE, Reasons.JOB_FINISHED, deployed + "its job has finished.");
    }
    if (snapshot.endedAs().isPresent()) {
      return history.keptFalse(
          ConditionTypes.READY, Reasons.JOB_NOT_RUNNING, ConditionMessages.failedForGood(snapshot));
    }
    if (observed instanceof Pending) {
      return history.kept(ConditionTypes.READY, Reasons.PENDING, OperationWords.NOT_ASKED);
    }
    if (observed instanceof Unreachable unreachable) {
      // "unknown" is not "failed": a process is there, it just does not answer
      ObservedCluster cluster = snapshot.observed().cluster();
      boolean process = cluster.answerable();
      Optional<ClusterProblem> blamed = cluster.health().jobManager();
      return ready(
          process ? ConditionStatus.UNKNOWN : ConditionStatus.FALSE,
          blamed.map(ClusterProblem::reason).orElse(Reasons.CLUSTER_NOT_READY),
          unreachable.why()
              + "."
              + blamed.filter(it -> process).map(it -> " " + it.message()).orElse(""));
    }
    if (!snapshot.resource().getSpec().isApplication()) {
      return ready(ConditionStatus.TRUE, Reasons.UP_TO_DATE, "The session cluster runs.");
    }
    Job job = snapshot.job().orElse(null);
    if (job == null) {
      return ready(
          ConditionStatus.FALSE, Reasons.JOB_NOT_RUNNING, ConditionMessages.noJob(snapshot));
    }
    if (job.isUp()) {
      return ready(
          ConditionStatus.TRUE, Reasons.UP_TO_DATE, deployed + "all tasks of its job run.");
    }
    if (job.state() == FlinkJobState.FINISHED) {
      return ready(ConditionStatus.TRUE, Reasons.JOB_FINISHED, deployed + "its job has finished.");
    }
    // what passes does not explain a job that has ended: its own exception does
    Optional<ClusterProblem> blamed =
        snapshot
            .observed()
            .cluster()
            .health()
            .worst()
            .filter(it -> it.lasting() || !job.state().isGloballyTerminal());
    return ready(
        ConditionStatus.FALSE,
        blamed.map(ClusterProblem::reason).orElse(Reasons.JOB_NOT_RUNNING),
        JobWords.notUp(job) + blamed.map(it -> " " + it.message()).orElse(""));
  }

  private Condition ready(ConditionStatus status, String reason, String message) {
    return operation.ready(status, reason, message);
  }

  private Condition stalled() {
    if (keepsGivenUp()) {
      return history.kept(ConditionTypes.STALLED, Reasons.ABORTED, "");
    }
    return operation.stalled().orElseGet(this::notHeld);
  }

  /** No action is required, unless a pod that is needed cannot start while no operation is open. */
  private Condition notHeld() {
    ObservedCluster cluster = snapshot.observed().cluster();
    if (snapshot.phase() != ResourcePhase.SETTLED) {
      return operation.notStalled();
    }
    if (snapshot.hasFinished() || snapshot.endedAs().isPresent()) {
      return beside();
    }
    Optional<ClusterProblem> lasting =
        cluster.health().worst().filter(ClusterProblem::lasting).filter(this::isNeeded);
    if (lasting.isPresent()) {
      return operation.stalled(
          lasting.get().reason(),
          lasting.get().message() + " [Remove the cause, or apply another spec.]");
    }
    return cluster.jobManager() == JobManager.FAILING
        ? operation.stalled(
            Reasons.CLUSTER_NOT_READY,
            cluster.whyNotAnswering()
                + ". See kubectl describe pod and the log of the container; remove the cause, or"
                + " apply another spec.")
        : beside();
  }

  /** What is beside the job may need action although the job is up. */
  private Condition beside() {
    InPlaceOutcome.Problem problem = snapshot.observed().inPlace().problem();
    return problem == null
        ? operation.notStalled()
        : operation.stalled(problem.reason(), problem.message());
  }

  /** A job that runs does not need more TaskManagers than it has. */
  private boolean isNeeded(ClusterProblem problem) {
    return problem.component() == Component.JOB_MANAGER
        || snapshot.job().filter(Job::isUp).isEmpty();
  }

  private Condition running() {
    if (snapshot.phase() == ResourcePhase.SETTLED && snapshot.isSuspended()) {
      return running(ConditionStatus.FALSE, Reasons.SUSPENDED, JobWords.suspended(snapshot));
    }
    if (snapshot.isJobManagerMissing()) {
      return running(
          ConditionStatus.FALSE,
          Reasons.JOB_MANAGER_MISSING,
          ConditionMessages.jobManagerMissing(snapshot));
    }
    if (snapshot.hasFinished()) {
      JobStatus last = snapshot.status().jobStatus();
      return running(
          ConditionStatus.FALSE,
          JobWords.camelCase(FlinkJobState.FINISHED),
          JobWords.finished(last == null ? null : last.jobId()));
    }
    Optional<FlinkJobState> ended = snapshot.endedAs();
    if (ended.isPresent()) {
      return running(
          ConditionStatus.FALSE,
          JobWords.camelCase(ended.get()),
          ConditionMessages.failedForGood(snapshot));
    }
    ObservedJob observed = snapshot.observed().job();
    if (observed instanceof Pending) {
      return history.kept(ConditionTypes.RUNNING, Reasons.PENDING, OperationWords.NOT_ASKED);
    }
    if (observed instanceof Unreachable unreachable) {
      boolean present = snapshot.observed().cluster().present();
      return running(
          present ? ConditionStatus.UNKNOWN : ConditionStatus.FALSE,
          Reasons.CLUSTER_NOT_READY,
          unreachable.why() + ".");
    }
    if (!snapshot.resource().getSpec().isApplication()) {
      return running(ConditionStatus.TRUE, Reasons.RUNNING, "The session cluster runs.");
    }
    return snapshot
        .job()
        .map(
            job ->
                running(
                    ConditionStatus.of(job.state() == FlinkJobState.RUNNING),
                    JobWords.camelCase(job.state()),
                    JobWords.job(job)))
        .orElseGet(
            () ->
                running(
                    ConditionStatus.FALSE,
                    Reasons.JOB_NOT_RUNNING,
                    ConditionMessages.noJob(snapshot)));
  }

  private Condition running(ConditionStatus status, String reason, String message) {
    return history.condition(ConditionTypes.RUNNING, status, reason, message);
  }
}
