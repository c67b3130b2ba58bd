package dev.sluice.controller.sessionjob;

import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.controller.deployment.RecoveryOptions;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.operation.NewRun.Loss;
import dev.sluice.controller.status.GivenUpRecovery;
import java.util.Optional;

/**
 * Whether the job of the spec that is deployed is lost and has to be brought back: its session
 * cluster answers, and does not know it. Pure.
 */
final class LostSessionJob {

  private LostSessionJob() {}

  /** The loss to recover from now; empty when there is none, or recovery was aborted. */
  static Optional<Loss> of(SeenSessionJob seen) {
    return unlessGivenUp(seen).filter(loss -> !GivenUpRecovery.is(seen, loss.cause()));
  }

  /** The same, also after an abort: it was requested again. */
  private static Optional<Loss> unlessGivenUp(SeenSessionJob seen) {
    if (!seen.wantsJob() || seen.cluster().readiness() != SeenCluster.Readiness.READY) {
      return Optional.empty();
    }
    RecoveryOptions options = RecoveryOptions.of(seen.configuration(), seen.configuration());
    Optional<Loss> failed =
        seen.job().filter(it -> options.failed()).flatMap(GivenUpRecovery::failed);
    if (failed.isPresent()) {
      return failed;
    }
    return options.missing() && isUnknown(seen) && seen.ended().isEmpty() && !mayHaveEnded(seen)
        ? Optional.of(
            new Loss(
                RecoveryCause.JOB_MANAGER_MISSING,
                "the session cluster of FlinkDeployment %s does not know job %s any more"
                    .formatted(seen.cluster().name(), seen.jobId())))
        : Optional.empty();
  }

  /** Flink answers, and does not know the job that it was asked to run. */
  static boolean isUnknown(SeenSessionJob seen) {
    return seen.jobId() != null
        && seen.observed().job() instanceof Answered answered
        && answered.job().isEmpty();
  }

  /**
   * With high availability the cluster brings its jobs back by itself, also when it was replaced.
   * One that it does not know may have ended, and would run twice.
   */
  static boolean mayHaveEnded(SeenSessionJob seen) {
    return HighAvailabilityMode.of(seen.cluster().forRules().configuration()).isOn();
  }

  /** The loss that a retry recovers from. */
  static Optional<Loss> onRetry(SeenSessionJob seen) {
    return GivenUpRecovery.isRetried(seen) ? unlessGivenUp(seen) : Optional.empty();
  }

  /** What an open Recover is for, also when its run is lost. */
  static Loss begun(SeenSessionJob seen) {
    RecoveryStatus counted = seen.status().recovery();
    RecoveryCause cause =
        counted == null || counted.cause() == null
            ? RecoveryCause.JOB_MANAGER_MISSING
            : counted.cause();
    return unlessGivenUp(seen).orElseGet(() -> new Loss(cause, "its run was lost"));
  }
}
