package dev.sluice.controller.job;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.common.WrittenTime;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.operation.NewRun.Loss;
import dev.sluice.workflows.operation.OperationInput.SeenUnhealthy;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether a lost job is brought back. Pure. */
public final class RecoveryDecision {

  private RecoveryDecision() {}

  /** The loss to recover from now; empty when there is none, or recovery was aborted. */
  public static Optional<Loss> of(SeenJob<?, ?> seen) {
    // one whose end was recorded was not to be recovered then
    return seen.lost().filter(loss -> !isGivenUp(seen, loss.cause()) && seen.end().isEmpty());
  }

  /**
   * The loss that a retry recovers from, also where its recovery was aborted. Where a newer spec
   * was given up, a retry is for that, unless a recovery was given up since.
   */
  public static Optional<Loss> onRetry(SeenJob<?, ?> seen) {
    OperationStatus operation = seen.operation();
    boolean retried =
        switch (seen.phase()) {
          case SETTLED, INVALID -> true;
          case GIVEN_UP -> operation != null && operation.type() == OperationType.RECOVER;
          default -> false;
        };
    return retried ? seen.lost() : Optional.empty();
  }

  /** What an open Recover is for, also when its run is lost. */
  static Loss begun(SeenJob<?, ?> seen) {
    return seen.lost().orElseGet(() -> carriedOn(seen));
  }

  private static Loss carriedOn(SeenJob<?, ?> seen) {
    OperationStatus operation = seen.operation();
    RecoveryCause cause =
        Objects.requireNonNullElse(countedCause(seen), RecoveryCause.JOB_MANAGER_MISSING);
    return new Loss(
        cause,
        "its run was lost",
        cause == RecoveryCause.UNHEALTHY
            ? new SeenUnhealthy(
                seen.expectedJob(),
                operation == null ? null : WrittenTime.millis(operation.since()),
                null)
            : null);
  }

  private static @Nullable RecoveryCause countedCause(SeenJob<?, ?> seen) {
    RecoveryStatus counted = seen.status().recovery();
    return counted == null ? null : counted.cause();
  }

  /** The loss of a job that has failed, once it is known why: that is worth the second or two. */
  public static Optional<Loss> failed(Job job) {
    return job.state() == FlinkJobState.FAILED
        ? job.failure()
            .map(
                why -> new Loss(RecoveryCause.JOB_FAILED, "job " + job.id() + " is FAILED: " + why))
        : Optional.empty();
  }

  /**
   * Whether the recovery was aborted. Only this loss of this job: one that was begun since, or was
   * lost otherwise, is another.
   */
  public static boolean isGivenUp(SeenJob<?, ?> seen, RecoveryCause lostBy) {
    OperationStatus operation = seen.operation();
    JobStatus job = seen.status().jobStatus();
    if (operation == null
        || operation.type() != OperationType.RECOVER
        || !operation.hasEndedBadly()
        || wasBegunSince(operation, job)) {
      return false;
    }
    RecoveryCause cause = countedCause(seen);
    boolean stillFailed =
        cause == RecoveryCause.JOB_FAILED && job != null && job.state() == FlinkJobState.FAILED;
    return cause == null || cause == lostBy || stillFailed;
  }

  private static boolean wasBegunSince(OperationStatus givenUp, @Nullable JobStatus job) {
    Instant since = WrittenTime.read(givenUp.since()).orElse(null);
    String begun = job == null ? null : job.startTime();
    return since != null
        && begun != null
        && begun.matches("\\d{1,15}")
        && Instant.ofEpochMilli(Long.parseLong(begun)).isAfter(since);
  }
}
