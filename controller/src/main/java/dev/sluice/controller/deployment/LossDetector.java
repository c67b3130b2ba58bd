package dev.sluice.controller.deployment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.controller.job.RecoveryDecision;
import dev.sluice.controller.job.RecoveryOptions;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Unhealthy;
import dev.sluice.controller.operation.NewRun.Loss;
import dev.sluice.workflows.operation.OperationInput.SeenUnhealthy;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether the job of the spec that is deployed, or its session cluster, is lost and has to be
 * brought back. Pure.
 */
final class LossDetector {

  private LossDetector() {}

  /** The loss to recover from, also after the recovery was aborted. */
  static Optional<Loss> of(SeenDeployment seen) {
    RecoveryOptions options = seen.recovery();
    if (!seen.hasJob()) {
      return seen.isMissing() && options.missing()
          ? Optional.of(jobManagerMissing())
          : Optional.empty();
    }
    if (!seen.wantsJob()) {
      return Optional.empty();
    }
    if (seen.isMissing()) {
      return options.missing() && !hasEnded(seen, options)
          ? Optional.of(jobManagerMissing())
          : Optional.empty();
    }
    Optional<Loss> failed =
        options.failed()
            ? seen.job()
                .filter(job -> seen.isExpected(job.id()))
                .flatMap(RecoveryDecision::failed)
                .or(() -> failedBefore(seen))
                .or(() -> failedForGood(seen))
            : Optional.empty();
    if (failed.isPresent()) {
      return failed;
    }
    Optional<Loss> stuck = options.missing() ? withoutTaskManagers(seen) : Optional.empty();
    return stuck.isPresent() || options.health() == null ? stuck : unhealthy(seen);
  }

  private static Loss jobManagerMissing() {
    return new Loss(RecoveryCause.JOB_MANAGER_MISSING, "the JobManager Deployment is missing");
  }

  /** Flink tells the newest state of such a job, so it is not one whose JobManager is missing. */
  private static Optional<Loss> withoutTaskManagers(SeenDeployment seen) {
    return seen.observed().cluster().lacksTaskManagers()
        ? seen.job()
            .filter(job -> !job.isUp() && !job.state().isGloballyTerminal())
            .map(
                job ->
                    new Loss(
                        RecoveryCause.UNHEALTHY,
                        "the TaskManager Deployment is missing",
                        new SeenUnhealthy(seen.expectedJob(), null, null)))
        : Optional.empty();
  }

  private static SeenUnhealthy unhealthy(SeenDeployment seen, Unhealthy now) {
    Duration healedAfter = now.healedAfter();
    return new SeenUnhealthy(
        seen.expectedJob(), null, healedAfter == null ? null : healedAfter.toMillis());
  }

  /** A job that had come to its end before does not run again because its JobManager is gone. */
  private static boolean hasEnded(SeenDeployment seen, RecoveryOptions options) {
    JobStatus last = seen.status().jobStatus();
    FlinkJobState state = last == null ? null : last.state();
    return last != null
        && state != null
        && state.isGloballyTerminal()
        && !seen.isOfEarlierJob(last)
        && !(state == FlinkJobState.FAILED && options.failed());
  }

  /** With high availability a JobManager that was restarted neither runs it again nor lists it. */
  private static Optional<Loss> failedBefore(SeenDeployment seen) {
    JobStatus last = seen.status().jobStatus();
    return last != null
            && last.state() == FlinkJobState.FAILED
            && seen.flink() instanceof Answered
            && seen.isGone(last.jobId())
        ? Optional.of(
            new Loss(
                RecoveryCause.JOB_FAILED,
                "job %s is FAILED, and its JobManager was restarted since".formatted(last.jobId())))
        : Optional.empty();
  }

  /** That was recorded, when it was not to recover. */
  private static Optional<Loss> failedForGood(SeenDeployment seen) {
    return seen.end()
        .filter(end -> end.state() == FlinkJobState.FAILED)
        .map(
            end ->
                new Loss(
                    RecoveryCause.JOB_FAILED,
                    "job %s is FAILED, and its end is recorded".formatted(end.jobId())));
  }

  private static Optional<Loss> unhealthy(SeenDeployment seen) {
    return seen.flink() instanceof Answered answered
        ? answered
            .unhealthy()
            .map(it -> new Loss(RecoveryCause.UNHEALTHY, it.why(), unhealthy(seen, it)))
        : Optional.empty();
  }
}
