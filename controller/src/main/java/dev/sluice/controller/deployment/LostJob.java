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
import dev.sluice.controller.observation.Unhealthy;
import dev.sluice.controller.operation.NewRun.Loss;
import dev.sluice.workflows.operation.OperationInput.SeenUnhealthy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether the job of the spec that is deployed, or its session cluster, is lost and has to be
 * brought back. Pure.
 */
final class LostJob {

  private LostJob() {}

  /** The loss to recover from now; empty when there is none, or recovery was aborted. */
  static Optional<Loss> of(DeploymentSnapshot snapshot) {
    // one whose JobManager was stopped because it had failed was not to be recovered then
    return unlessGivenUp(snapshot)
        .filter(loss -> !isGivenUp(snapshot, loss.cause()) && snapshot.endedAs().isEmpty());
  }

  /** The same, also after an abort: it was requested again. */
  static Optional<Loss> unlessGivenUp(DeploymentSnapshot snapshot) {
    RecoveryOptions options = RecoveryOptions.of(snapshot);
    if (!snapshot.deployedSpec().isApplication()) {
      return snapshot.isJobManagerMissing() && options.missing()
          ? Optional.of(jobManagerMissing())
          : Optional.empty();
    }
    if (!snapshot.wantsJob()) {
      return Optional.empty();
    }
    if (snapshot.isJobManagerMissing()) {
      return options.missing() && !hasEnded(snapshot, options)
          ? Optional.of(jobManagerMissing())
          : Optional.empty();
    }
    Optional<Loss> failed =
        options.failed()
            ? snapshot
                .job()
                .flatMap(job -> failed(snapshot, job))
                .or(() -> failedBefore(snapshot))
                .or(() -> failedForGood(snapshot))
            : Optional.empty();
    if (failed.isPresent()) {
      return failed;
    }
    Optional<Loss> stuck = options.missing() ? withoutTaskManagers(snapshot) : Optional.empty();
    return stuck.isPresent() || options.health() == null ? stuck : unhealthy(snapshot);
  }

  private static Loss jobManagerMissing() {
    return new Loss(RecoveryCause.JOB_MANAGER_MISSING, "the JobManager Deployment is missing");
  }

  /** Flink tells the newest state of such a job, so it is not one whose JobManager is missing. */
  private static Optional<Loss> withoutTaskManagers(DeploymentSnapshot snapshot) {
    return snapshot.observed().cluster().lacksTaskManagers()
        ? snapshot
            .job()
            .filter(job -> !job.isUp() && !job.state().isGloballyTerminal())
            .map(
                job ->
                    new Loss(
                        RecoveryCause.UNHEALTHY,
                        "the TaskManager Deployment is missing",
                        new SeenUnhealthy(snapshot.observed().cluster().jobId(), null, null)))
        : Optional.empty();
  }

  /**
   * What a retry recovers from, although recovery was aborted. Where a newer spec was given up, a
   * retry is for that, unless a recovery was given up since.
   */
  static Optional<Loss> onRetry(DeploymentSnapshot snapshot) {
    OperationStatus operation = snapshot.operation();
    boolean idle =
        switch (snapshot.phase()) {
          case SETTLED, INVALID -> true;
          case GIVEN_UP -> operation != null && operation.type() == OperationType.RECOVER;
          default -> false;
        };
    return idle ? unlessGivenUp(snapshot) : Optional.empty();
  }

  /** What an open Recover is for, also when its run is lost. */
  static Loss begun(DeploymentSnapshot snapshot) {
    RecoveryStatus counted = snapshot.status().recovery();
    RecoveryCause cause = counted == null ? null : counted.cause();
    return unlessGivenUp(snapshot).orElseGet(() -> carriedOn(snapshot, cause));
  }

  private static Loss carriedOn(DeploymentSnapshot snapshot, @Nullable RecoveryCause cause) {
    OperationStatus operation = snapshot.operation();
    String since = operation == null ? null : operation.since();
    return new Loss(
        cause == null ? RecoveryCause.JOB_MANAGER_MISSING : cause,
        "its run was lost",
        cause == RecoveryCause.UNHEALTHY
            ? new SeenUnhealthy(
                snapshot.observed().cluster().jobId(),
                since == null ? null : Instant.parse(since).toEpochMilli())
            : null);
  }

  private static SeenUnhealthy seen(DeploymentSnapshot snapshot, Unhealthy now) {
    Duration healedAfter = now.healedAfter();
    return new SeenUnhealthy(
        snapshot.observed().cluster().jobId(),
        null,
        healedAfter == null ? null : healedAfter.toMillis());
  }

  /**
   * Its recovery was aborted. Only this loss of this job: one that was begun since, or was lost
   * otherwise, is another.
   */
  static boolean isGivenUp(DeploymentSnapshot snapshot, RecoveryCause lostBy) {
    OperationStatus operation = snapshot.operation();
    JobStatus job = snapshot.status().jobStatus();
    if (operation == null || !isGivenUp(operation) || wasBegunSince(operation, job)) {
      return false;
    }
    RecoveryStatus counted = snapshot.status().recovery();
    RecoveryCause cause = counted == null ? null : counted.cause();
    boolean stillFailed =
        cause == RecoveryCause.JOB_FAILED && job != null && job.state() == FlinkJobState.FAILED;
    return cause == null || cause == lostBy || stillFailed;
  }

  private static boolean wasBegunSince(OperationStatus givenUp, @Nullable JobStatus job) {
    String since = givenUp.since();
    String begun = job == null ? null : job.startTime();
    return since != null
        && begun != null
        && begun.matches("\\d{1,15}")
        && Instant.ofEpochMilli(Long.parseLong(begun)).isAfter(Instant.parse(since));
  }

  /** It was aborted. */
  private static boolean isGivenUp(@Nullable OperationStatus operation) {
    return operation != null
        && operation.type() == OperationType.RECOVER
        && (operation.state() == OperationState.ABORTED
            || operation.state() == OperationState.FAILED);
  }

  /** A job that had come to its end before does not run again because its JobManager is gone. */
  private static boolean hasEnded(DeploymentSnapshot snapshot, RecoveryOptions options) {
    JobStatus last = snapshot.status().jobStatus();
    FlinkJobState state = last == null ? null : last.state();
    return last != null
        && state != null
        && state.isGloballyTerminal()
        && !snapshot.isOfEarlierJob(last)
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

  /** With high availability a JobManager that was restarted neither runs it again nor lists it. */
  private static Optional<Loss> failedBefore(DeploymentSnapshot snapshot) {
    JobStatus last = snapshot.status().jobStatus();
    return last != null && last.state() == FlinkJobState.FAILED && snapshot.isForgotten(last)
        ? Optional.of(
            new Loss(
                RecoveryCause.JOB_FAILED,
                "job %s is FAILED, and its JobManager was restarted since".formatted(last.jobId())))
        : Optional.empty();
  }

  /** Its JobManager was stopped because of that, when it was not to recover. */
  private static Optional<Loss> failedForGood(DeploymentSnapshot snapshot) {
    return snapshot
        .endedAs()
        .filter(state -> state == FlinkJobState.FAILED)
        .map(
            state ->
                new Loss(
                    RecoveryCause.JOB_FAILED,
                    "job %s is FAILED, and its JobManager was stopped since"
                        .formatted(snapshot.observed().cluster().jobId())));
  }

  private static Optional<Loss> unhealthy(DeploymentSnapshot snapshot) {
    return snapshot.observed().job() instanceof Answered answered
        ? answered
            .unhealthy()
            .map(it -> new Loss(RecoveryCause.UNHEALTHY, it.why(), seen(snapshot, it)))
        : Optional.empty();
  }
}
