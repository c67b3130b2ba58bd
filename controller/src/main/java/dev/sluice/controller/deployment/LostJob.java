package dev.sluice.controller.deployment;

import dev.sluice.api.common.EndedJob;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Unhealthy;
import dev.sluice.controller.operation.NewRun.Loss;
import dev.sluice.controller.status.GivenUpRecovery;
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
  static Optional<Loss> of(SeenDeployment snapshot) {
    // one whose end was recorded was not to be recovered then
    return unlessGivenUp(snapshot)
        .filter(
            loss -> !GivenUpRecovery.is(snapshot, loss.cause()) && snapshot.endedAs().isEmpty());
  }

  /** The same, also after an abort: it was requested again. */
  static Optional<Loss> unlessGivenUp(SeenDeployment snapshot) {
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
                .filter(job -> isOwn(snapshot, job))
                .flatMap(GivenUpRecovery::failed)
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
  private static Optional<Loss> withoutTaskManagers(SeenDeployment snapshot) {
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

  /** The loss that a retry recovers from. */
  static Optional<Loss> onRetry(SeenDeployment snapshot) {
    return GivenUpRecovery.isRetried(snapshot) ? unlessGivenUp(snapshot) : Optional.empty();
  }

  /** What an open Recover is for, also when its run is lost. */
  static Loss begun(SeenDeployment snapshot) {
    RecoveryStatus counted = snapshot.status().recovery();
    RecoveryCause cause = counted == null ? null : counted.cause();
    return unlessGivenUp(snapshot).orElseGet(() -> carriedOn(snapshot, cause));
  }

  private static Loss carriedOn(SeenDeployment snapshot, @Nullable RecoveryCause cause) {
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

  private static SeenUnhealthy seen(SeenDeployment snapshot, Unhealthy now) {
    Duration healedAfter = now.healedAfter();
    return new SeenUnhealthy(
        snapshot.observed().cluster().jobId(),
        null,
        healedAfter == null ? null : healedAfter.toMillis());
  }

  /** A job that had come to its end before does not run again because its JobManager is gone. */
  private static boolean hasEnded(SeenDeployment snapshot, RecoveryOptions options) {
    JobStatus last = snapshot.status().jobStatus();
    FlinkJobState state = last == null ? null : last.state();
    return last != null
        && state != null
        && state.isGloballyTerminal()
        && !snapshot.isOfEarlierJob(last)
        && !(state == FlinkJobState.FAILED && options.failed());
  }

  private static boolean isOwn(SeenDeployment snapshot, Job job) {
    String expected = snapshot.observed().cluster().jobId();
    return expected == null || expected.equals(job.id());
  }

  /** With high availability a JobManager that was restarted neither runs it again nor lists it. */
  private static Optional<Loss> failedBefore(SeenDeployment snapshot) {
    JobStatus last = snapshot.status().jobStatus();
    return last != null && last.state() == FlinkJobState.FAILED && snapshot.isForgotten(last)
        ? Optional.of(
            new Loss(
                RecoveryCause.JOB_FAILED,
                "job %s is FAILED, and its JobManager was restarted since".formatted(last.jobId())))
        : Optional.empty();
  }

  /** That was recorded, when it was not to recover. */
  private static Optional<Loss> failedForGood(SeenDeployment snapshot) {
    return snapshot
        .endedAs()
        .filter(state -> state == FlinkJobState.FAILED)
        .map(
            state ->
                new Loss(
                    RecoveryCause.JOB_FAILED,
                    "job %s is FAILED, and its end is recorded"
                        .formatted(snapshot.endedJob().map(EndedJob::jobId).orElse(""))));
  }

  private static Optional<Loss> unhealthy(SeenDeployment snapshot) {
    return snapshot.observed().job() instanceof Answered answered
        ? answered
            .unhealthy()
            .map(it -> new Loss(RecoveryCause.UNHEALTHY, it.why(), seen(snapshot, it)))
        : Optional.empty();
  }
}
