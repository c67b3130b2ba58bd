package dev.sluice.controller.deployment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.operation.NewRun.Loss;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether the job of the spec that is deployed is lost and has to be brought back. Pure. */
final class LostJob {

  private LostJob() {}

  /** What is to be recovered from now; empty when nothing is, or a person has given that up. */
  static Optional<Loss> of(DeploymentSnapshot snapshot) {
    return isGivenUp(snapshot.operation()) ? Optional.empty() : unlessGivenUp(snapshot);
  }

  /** The same, also when it was given up: a person asks for it again. */
  static Optional<Loss> unlessGivenUp(DeploymentSnapshot snapshot) {
    if (!snapshot.wantsJob()) {
      return Optional.empty();
    }
    RecoveryOptions options = RecoveryOptions.of(snapshot);
    if (snapshot.isJobManagerMissing()) {
      return options.missing() && !hasEnded(snapshot.status().jobStatus(), options)
          ? Optional.of(
              new Loss(RecoveryCause.JOB_MANAGER_MISSING, "the JobManager Deployment is missing"))
          : Optional.empty();
    }
    Optional<Loss> failed =
        options.failed() ? snapshot.job().flatMap(job -> failed(snapshot, job)) : Optional.empty();
    return failed.isPresent() || options.health() == null ? failed : unhealthy(snapshot);
  }

  /** What an open Recover is for, also when its run is lost. */
  static Loss begun(DeploymentSnapshot snapshot) {
    RecoveryStatus counted = snapshot.status().recovery();
    RecoveryCause cause = counted == null ? null : counted.cause();
    return unlessGivenUp(snapshot)
        .orElseGet(
            () ->
                new Loss(
                    cause == null ? RecoveryCause.JOB_MANAGER_MISSING : cause, "its run was lost"));
  }

  /** A person has aborted it. */
  static boolean isGivenUp(@Nullable OperationStatus operation) {
    return operation != null
        && operation.type() == OperationType.RECOVER
        && (operation.state() == OperationState.ABORTED
            || operation.state() == OperationState.FAILED);
  }

  /** A job that had come to its end before does not run again because its JobManager is gone. */
  private static boolean hasEnded(@Nullable JobStatus last, RecoveryOptions options) {
    FlinkJobState state = last == null ? null : last.state();
    return state != null
        && state.isGloballyTerminal()
        && !(state == FlinkJobState.FAILED && options.failed());
  }

  /** Once it is known why: that is worth the second or two. */
  private static Optional<Loss> failed(DeploymentSnapshot snapshot, Job job) {
    String expected = snapshot.observed().cluster().jobId();
    boolean own = expected == null || expected.equals(job.id());
    return own && job.state() == FlinkJobState.FAILED
        ? job.failure()
            .map(
                why -> new Loss(RecoveryCause.JOB_FAILED, "job " + job.id() + " is FAILED: " + why))
        : Optional.empty();
  }

  private static Optional<Loss> unhealthy(DeploymentSnapshot snapshot) {
    return snapshot.observed().job() instanceof Answered answered
        ? answered.unhealthy().map(why -> new Loss(RecoveryCause.UNHEALTHY, why))
        : Optional.empty();
  }
}
