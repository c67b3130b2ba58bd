package dev.sluice.controller.deployment;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.EndedJob;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FrozenSpec;
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

/** The four conditions of a FlinkDeployment, always in the same order. */
final class DeploymentConditions {

  private static final String NO_JOB = "The JobManager answers but has no job.";

  private final SeenDeployment seen;
  private final ConditionHistory history;
  private final OperationConditions operation;

  DeploymentConditions(SeenDeployment seen, ReconcileAction decision, ConditionHistory history) {
    this.seen = seen;
    this.history = history;
    this.operation = new OperationConditions(seen, decision, history);
  }

  List<Condition> all() {
    return List.of(ready(), operation.progressing(), stalled(), state(ConditionTypes.RUNNING));
  }

  private Condition ready() {
    return operation.ready().orElseGet(() -> state(ConditionTypes.READY));
  }

  /** Ready, where the newest spec is what was deployed, or Running: what cluster and job do. */
  private Condition state(String type) {
    boolean ready = type.equals(ConditionTypes.READY);
    if (seen.restsSuspended()) {
      return of(type, ConditionStatus.of(ready), Reasons.SUSPENDED, JobWords.suspended(seen));
    }
    if (seen.isJobManagerMissing()) {
      return of(type, ConditionStatus.FALSE, Reasons.JOB_MANAGER_MISSING, jobManagerMissing(seen));
    }
    if (seen.hasFinished()) {
      return ready
          ? isDeployed(Reasons.JOB_FINISHED, "its job has finished.")
          : running(FlinkJobState.FINISHED, finished());
    }
    FlinkJobState ended = seen.endedAs().orElse(null);
    if (ended != null) {
      return ready
          ? history.keptFalse(type, Reasons.JOB_NOT_RUNNING, endedForGood(seen, ended))
          : running(ended, endedForGood(seen, ended));
    }
    ObservedJob observed = seen.observed().job();
    if (observed instanceof Pending) {
      return history.kept(type, Reasons.PENDING, OperationWords.NOT_ASKED);
    }
    if (observed instanceof Unreachable unreachable) {
      return ready ? notAnswering(unreachable) : silent(unreachable);
    }
    if (!seen.resource().getSpec().isApplication()) {
      return of(
          type,
          ConditionStatus.TRUE,
          ready ? Reasons.UP_TO_DATE : Reasons.RUNNING,
          "The session cluster runs.");
    }
    Job job = seen.job().orElse(null);
    if (job == null) {
      return of(type, ConditionStatus.FALSE, Reasons.JOB_NOT_RUNNING, noJob(seen));
    }
    return ready ? ready(job) : running(job.state(), JobWords.job(job));
  }

  private String finished() {
    JobStatus last = seen.status().jobStatus();
    return JobWords.finished(last == null ? null : last.jobId())
        + (seen.observed().cluster().present() ? "" : " Its cluster is deleted.");
  }

  private Condition ready(Job job) {
    if (job.isUp()) {
      return isDeployed(Reasons.UP_TO_DATE, "all tasks of its job run.");
    }
    if (job.state() == FlinkJobState.FINISHED) {
      return isDeployed(Reasons.JOB_FINISHED, "its job has finished.");
    }
    // what passes does not explain a job that has ended: its own exception does
    Optional<ClusterProblem> blamed =
        seen.observed()
            .cluster()
            .health()
            .worst()
            .filter(it -> it.lasting() || !job.state().isGloballyTerminal());
    return operation.ready(
        ConditionStatus.FALSE,
        blamed.map(ClusterProblem::reason).orElse(Reasons.JOB_NOT_RUNNING),
        JobWords.notUp(job) + blamed.map(it -> " " + it.message()).orElse(""));
  }

  private Condition isDeployed(String reason, String what) {
    return operation.ready(
        ConditionStatus.TRUE,
        reason,
        "Generation " + seen.generation() + " is deployed and " + what);
  }

  /** "Unknown" is not "failed": a process is there, it just does not answer. */
  private Condition notAnswering(Unreachable unreachable) {
    ObservedCluster cluster = seen.observed().cluster();
    boolean process = cluster.answerable();
    Optional<ClusterProblem> blamed = cluster.health().jobManager();
    return operation.ready(
        process ? ConditionStatus.UNKNOWN : ConditionStatus.FALSE,
        blamed.map(ClusterProblem::reason).orElse(Reasons.CLUSTER_NOT_READY),
        unreachable.why()
            + "."
            + blamed.filter(it -> process).map(it -> " " + it.message()).orElse(""));
  }

  private Condition silent(Unreachable unreachable) {
    boolean present = seen.observed().cluster().present();
    return of(
        ConditionTypes.RUNNING,
        present ? ConditionStatus.UNKNOWN : ConditionStatus.FALSE,
        Reasons.CLUSTER_NOT_READY,
        unreachable.why() + ".");
  }

  private Condition running(FlinkJobState state, String message) {
    return of(
        ConditionTypes.RUNNING,
        ConditionStatus.of(state == FlinkJobState.RUNNING),
        JobWords.camelCase(state),
        message);
  }

  private Condition of(String type, ConditionStatus status, String reason, String message) {
    return type.equals(ConditionTypes.READY)
        ? operation.ready(status, reason, message)
        : history.condition(type, status, reason, message);
  }

  private Condition stalled() {
    return operation.stalled().orElseGet(this::notHeld);
  }

  /** No action is required, unless a pod that is needed cannot start while no operation is open. */
  private Condition notHeld() {
    ObservedCluster cluster = seen.observed().cluster();
    if (seen.phase() != ResourcePhase.SETTLED) {
      return operation.notStalled();
    }
    if (seen.hasFinished() || seen.endedAs().isPresent()) {
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
    InPlaceOutcome.Problem problem = seen.observed().inPlace().problem();
    return problem == null
        ? operation.notStalled()
        : operation.stalled(problem.reason(), problem.message());
  }

  /** A job that runs does not need more TaskManagers than it has. */
  private boolean isNeeded(ClusterProblem problem) {
    return problem.component() == Component.JOB_MANAGER || seen.job().filter(Job::isUp).isEmpty();
  }

  private static boolean isSession(SeenDeployment seen) {
    return !seen.deployedSpec().isApplication();
  }

  static String jobManagerMissing(SeenDeployment seen) {
    if (LostJob.of(seen).isPresent()) {
      return isSession(seen)
          ? "The JobManager Deployment is missing, so the session cluster does not run. It is"
              + " started again."
          : "The JobManager Deployment is missing, so the job does not run. It is started again.";
    }
    if (isSession(seen)) {
      return "The JobManager Deployment is missing, so the session cluster does not run. [To start"
          + " it again, annotate with "
          + Annotations.RETRY
          + ".]";
    }
    FrozenSpec deployed = seen.check().frozen();
    if (seen.phase() == ResourcePhase.GIVEN_UP
        && deployed != null
        && LostJob.onRetry(seen).isEmpty()) {
      return "The JobManager Deployment is missing, so the job does not run. [%s upgrades to generation %d. To start the job of generation %d again, apply that spec, and then annotate.]"
          .formatted(Annotations.RETRY, seen.generation(), deployed.generation());
    }
    return "The JobManager Deployment is missing, so the job does not run. [To start the job again,"
        + " annotate with "
        + Annotations.RETRY
        + "; without high-availability metadata name what it starts from together with it: "
        + Annotations.RESTORE_FROM
        + ": <path of a savepoint or checkpoint>.]";
  }

  /** A job that fails while it is initialized takes its JobManager along: nobody saw it FAILED. */
  private static String noJob(SeenDeployment seen) {
    return seen.isDeployedAndWanted()
            && HighAvailabilityMode.of(seen.deployedSpec().configuration()).isOn()
        ? NO_JOB
            + " If that lasts, the job has ended, and with high availability a new JobManager does"
            + " not run it again: the log of the JobManager, or of its container before, says why."
        : NO_JOB;
  }

  /** Nothing runs a job any more that has failed or was cancelled. */
  private static String endedForGood(SeenDeployment seen, FlinkJobState as) {
    String ended =
        "Job %s is %s; %s."
            .formatted(
                seen.endedJob().map(EndedJob::jobId).orElse(""),
                as,
                seen.observed().cluster().present()
                    ? "its JobManager was restarted since"
                    : "its cluster is deleted");
    // of an operation that is held Stalled says what is to be done
    return seen.phase().isOpen() || seen.phase() == ResourcePhase.DELETING
        ? ended
        : ended + nextStart(seen);
  }

  private static String nextStart(SeenDeployment seen) {
    JobSpec job = seen.resource().getSpec().job();
    return job != null && job.upgradeMode() == UpgradeMode.STATELESS
        ? " A restartNonce starts it empty, because upgradeMode is stateless; a spec with savepoint"
            + " or last-state goes on from what it left."
        : " A new spec or restartNonce goes on from what it left.";
  }
}
