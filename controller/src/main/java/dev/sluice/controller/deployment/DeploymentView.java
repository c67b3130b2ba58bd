package dev.sluice.controller.deployment;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.ConditionStatus;
import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.job.JobView;
import dev.sluice.controller.job.RecoveryDecision;
import dev.sluice.controller.observation.ClusterProblem;
import dev.sluice.controller.observation.ClusterProblem.Component;
import dev.sluice.controller.observation.ObservedCluster;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.status.JobWords;
import dev.sluice.controller.status.OperationConditions.Finding;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.util.Optional;

/** What the status of a FlinkDeployment says of its job. */
final class DeploymentView extends JobView<SeenDeployment> {

  private static final String NO_TASK_MANAGERS =
      "The TaskManager Deployment of the session cluster is missing: jobs get no TaskManagers.";

  private static final String REPLACE =
      " [Change spec.restartNonce of the FlinkDeployment to replace the cluster.]";

  private final ObservedCluster cluster;

  DeploymentView(SeenDeployment seen, ReconcileAction decision, Clock clock) {
    super(seen, decision, clock);
    this.cluster = seen.observed().cluster();
  }

  @Override
  protected Finding sessionCluster() {
    return seen.lacksTaskManagers()
        ? new Finding(
            common.ready(
                ConditionStatus.FALSE, Reasons.CLUSTER_NOT_READY, NO_TASK_MANAGERS + REPLACE),
            common.running(ConditionStatus.FALSE, Reasons.CLUSTER_NOT_READY, NO_TASK_MANAGERS))
        : super.sessionCluster();
  }

  /** "Unknown" is not "failed": a process is there, it just does not answer. */
  @Override
  protected Finding silent(String why) {
    boolean process = cluster.answerable();
    Optional<ClusterProblem> blamed = cluster.health().jobManager();
    return new Finding(
        common.ready(
            process ? ConditionStatus.UNKNOWN : ConditionStatus.FALSE,
            blamed.map(ClusterProblem::reason).orElse(Reasons.CLUSTER_NOT_READY),
            why + blamed.filter(it -> process).map(it -> " " + it.message()).orElse("")),
        common.running(
            cluster.present() ? ConditionStatus.UNKNOWN : ConditionStatus.FALSE,
            Reasons.CLUSTER_NOT_READY,
            why));
  }

  /** What passes does not explain a job that has ended: its own exception does. */
  @Override
  protected Condition ready(Job job) {
    Optional<ClusterProblem> blamed =
        cluster
            .health()
            .worst()
            .filter(it -> it.lasting() || !job.state().isGloballyTerminal())
            .filter(it -> !job.isUp() && job.state() != FlinkJobState.FINISHED);
    return blamed.isEmpty()
        ? super.ready(job)
        : common.ready(
            ConditionStatus.FALSE,
            blamed.get().reason(),
            JobWords.notUp(job) + " " + blamed.get().message());
  }

  /** No action is required, unless a pod that is needed cannot start while no operation is open. */
  @Override
  protected Condition notHeld() {
    if (seen.phase() != ResourcePhase.SETTLED) {
      return common.notStalled();
    }
    boolean needed = seen.end().isEmpty();
    // a job that runs does not need more TaskManagers than it has
    boolean runs = seen.job().filter(Job::isUp).isPresent();
    Optional<ClusterProblem> lasting =
        cluster
            .health()
            .worst()
            .filter(it -> needed && it.lasting())
            .filter(it -> it.component() == Component.JOB_MANAGER || !runs);
    if (lasting.isPresent()) {
      return common.stalled(
          lasting.get().reason(),
          lasting.get().message() + " [Remove the cause, or apply another spec.]");
    }
    if (needed && cluster.jobManager() == JobManager.FAILING) {
      return common.stalled(
          Reasons.CLUSTER_NOT_READY,
          cluster.whyNotAnswering()
              + ". See kubectl describe pod and the log of the container; remove the cause, or apply"
              + " another spec.");
    }
    if (seen.lacksTaskManagers()) {
      return common.stalled(Reasons.CLUSTER_NOT_READY, NO_TASK_MANAGERS + REPLACE);
    }
    InPlaceOutcome.Problem beside = seen.observed().inPlace().problem();
    return beside == null ? common.notStalled() : common.stalled(beside.reason(), beside.message());
  }

  /** A job that fails while it is initialized takes its JobManager along: nobody saw it FAILED. */
  @Override
  protected String absent() {
    if (!seen.isMissing()) {
      return seen.shouldRun() && seen.hasHighAvailability()
          ? "The JobManager answers but has no job. If that lasts, the job has ended, and with high"
              + " availability it does not run again: see the log of the JobManager, or of its"
              + " container before."
          : "The JobManager answers but has no job.";
    }
    String what = "The JobManager Deployment is missing.";
    if (RecoveryDecision.of(seen).isPresent()) {
      return what + " It is started again.";
    }
    if (seen.phase() == ResourcePhase.GIVEN_UP && RecoveryDecision.onRetry(seen).isEmpty()) {
      return what; // a retry is for the spec that was given up, as Ready says
    }
    return what
        + " [To start it again, annotate with "
        + Annotations.RETRY
        + (seen.hasJob()
            ? "; without high-availability metadata name what it starts from together with it: "
                + Annotations.RESTORE_FROM
                + ": <path of a savepoint or checkpoint>.]"
            : ".]");
  }
}
