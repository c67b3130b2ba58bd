package dev.sluice.controller.deployment;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.EndedJob;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.api.common.JobStatus;
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
import dev.sluice.controller.status.OperationConditions.Finding;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;

/** The four conditions of a FlinkDeployment, always in the same order. */
final class DeploymentConditions {

  private final SeenDeployment seen;
  private final OperationConditions operation;

  DeploymentConditions(SeenDeployment seen, ReconcileAction decision, ConditionHistory history) {
    this.seen = seen;
    this.operation = new OperationConditions(seen, decision, history);
  }

  List<Condition> all() {
    Finding found = found();
    return operation.all(found::ready, this::notHeld, found.running());
  }

  private Finding found() {
    if (seen.restsSuspended()) {
      return operation.suspended();
    }
    if (seen.isJobManagerMissing()) {
      return none(Reasons.JOB_MANAGER_MISSING, jobManagerMissing(seen));
    }
    if (seen.hasFinished()) {
      return ended(FlinkJobState.FINISHED, finished());
    }
    FlinkJobState ended = seen.endedAs().orElse(null);
    if (ended != null) {
      return ended(ended, endedForGood(ended));
    }
    ObservedJob observed = seen.observed().job();
    if (observed instanceof Pending) {
      return operation.notAsked();
    }
    if (observed instanceof Unreachable unreachable) {
      return silent(unreachable);
    }
    if (!seen.resource().getSpec().isApplication()) {
      String message = "The session cluster runs.";
      return new Finding(
          operation.ready(ConditionStatus.TRUE, Reasons.UP_TO_DATE, message),
          operation.running(ConditionStatus.TRUE, Reasons.RUNNING, message));
    }
    return seen.job()
        .map(job -> new Finding(ready(job), operation.running(job)))
        .orElseGet(() -> none(Reasons.JOB_NOT_RUNNING, noJob()));
  }

  private Finding none(String reason, String message) {
    return operation.both(ConditionStatus.FALSE, ConditionStatus.FALSE, reason, message);
  }

  private Finding ended(FlinkJobState state, String running) {
    return operation.ended(
        state, running, operation.deployed(Reasons.JOB_FINISHED, "its job has finished."));
  }

  private String finished() {
    JobStatus last = seen.status().jobStatus();
    return JobWords.finished(last == null ? null : last.jobId())
        + (seen.observed().cluster().present() ? "" : " Its cluster is deleted.");
  }

  /** "Unknown" is not "failed": a process is there, it just does not answer. */
  private Finding silent(Unreachable unreachable) {
    ObservedCluster cluster = seen.observed().cluster();
    boolean process = cluster.answerable();
    Optional<ClusterProblem> blamed = cluster.health().jobManager();
    return new Finding(
        operation.ready(
            process ? ConditionStatus.UNKNOWN : ConditionStatus.FALSE,
            blamed.map(ClusterProblem::reason).orElse(Reasons.CLUSTER_NOT_READY),
            unreachable.why()
                + "."
                + blamed.filter(it -> process).map(it -> " " + it.message()).orElse("")),
        operation.running(
            cluster.present() ? ConditionStatus.UNKNOWN : ConditionStatus.FALSE,
            Reasons.CLUSTER_NOT_READY,
            unreachable.why() + "."));
  }

  /** What passes does not explain a job that has ended: its own exception does. */
  private Condition ready(Job job) {
    Optional<ClusterProblem> blamed =
        seen.observed()
            .cluster()
            .health()
            .worst()
            .filter(it -> it.lasting() || !job.state().isGloballyTerminal());
    return job.isUp() || job.state() == FlinkJobState.FINISHED || blamed.isEmpty()
        ? operation.ready(job, operation::deployed, "")
        : operation.ready(
            ConditionStatus.FALSE,
            blamed.get().reason(),
            JobWords.notUp(job) + " " + blamed.get().message());
  }

  /** No action is required, unless a pod that is needed cannot start while no operation is open. */
  private Condition notHeld() {
    if (seen.phase() != ResourcePhase.SETTLED) {
      return operation.notStalled();
    }
    ObservedCluster cluster = seen.observed().cluster();
    boolean needed = !seen.hasFinished() && seen.endedAs().isEmpty();
    Optional<ClusterProblem> lasting =
        cluster
            .health()
            .worst()
            .filter(it -> needed && it.lasting())
            // a job that runs does not need more TaskManagers than it has
            .filter(
                it ->
                    it.component() == Component.JOB_MANAGER
                        || seen.job().filter(Job::isUp).isEmpty());
    if (lasting.isPresent()) {
      return operation.stalled(
          lasting.get().reason(),
          lasting.get().message() + " [Remove the cause, or apply another spec.]");
    }
    if (needed && cluster.jobManager() == JobManager.FAILING) {
      return operation.stalled(
          Reasons.CLUSTER_NOT_READY,
          cluster.whyNotAnswering()
              + ". See kubectl describe pod and the log of the container; remove the cause, or apply"
              + " another spec.");
    }
    InPlaceOutcome.Problem beside = seen.observed().inPlace().problem();
    return beside == null
        ? operation.notStalled()
        : operation.stalled(beside.reason(), beside.message());
  }

  static String jobManagerMissing(SeenDeployment seen) {
    boolean session = !seen.deployedSpec().isApplication();
    String what =
        "The JobManager Deployment is missing, so the %s does not run."
            .formatted(session ? "session cluster" : "job");
    if (LostJob.of(seen).isPresent()) {
      return what + " It is started again.";
    }
    if (seen.phase() == ResourcePhase.GIVEN_UP && LostJob.onRetry(seen).isEmpty()) {
      return what; // a retry is for the spec that was given up, as Ready says
    }
    return what
        + " [To start it again, annotate with "
        + Annotations.RETRY
        + (session
            ? ".]"
            : "; without high-availability metadata name what it starts from together with it: "
                + Annotations.RESTORE_FROM
                + ": <path of a savepoint or checkpoint>.]");
  }

  /** A job that fails while it is initialized takes its JobManager along: nobody saw it FAILED. */
  private String noJob() {
    return seen.isDeployedAndWanted()
            && HighAvailabilityMode.of(seen.deployedSpec().configuration()).isOn()
        ? "The JobManager answers but has no job. If that lasts, the job has ended, and with high"
            + " availability it does not run again: see the log of the JobManager, or of its"
            + " container before."
        : "The JobManager answers but has no job.";
  }

  /** Nothing runs a job any more that has failed or was cancelled. */
  private String endedForGood(FlinkJobState as) {
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
        : ended + " A new spec or restartNonce starts it as its upgradeMode says.";
  }
}
