package dev.sluice.controller.status;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.operation.NewRun.Loss;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether the recovery of a lost job was given up, for every kind. */
public final class GivenUpRecovery {

  private GivenUpRecovery() {}

  /**
   * It was aborted. Only this loss of this job: one that was begun since, or was lost otherwise, is
   * another.
   */
  public static boolean is(SeenResource seen, RecoveryCause lostBy) {
    OperationStatus operation = seen.operation();
    JobStatus job = seen.status().jobStatus();
    if (operation == null || !isGivenUp(operation) || wasBegunSince(operation, job)) {
      return false;
    }
    RecoveryStatus counted = seen.status().recovery();
    RecoveryCause cause = counted == null ? null : counted.cause();
    boolean stillFailed =
        cause == RecoveryCause.JOB_FAILED && job != null && job.state() == FlinkJobState.FAILED;
    return cause == null || cause == lostBy || stillFailed;
  }

  /**
   * Whether a retry brings a lost job back, also where its recovery was aborted. Where a newer spec
   * was given up, a retry is for that, unless a recovery was given up since.
   */
  public static boolean isRetried(SeenResource seen) {
    OperationStatus operation = seen.operation();
    return switch (seen.phase()) {
      case SETTLED, INVALID -> true;
      case GIVEN_UP -> operation != null && operation.type() == OperationType.RECOVER;
      default -> false;
    };
  }

  /** The loss of a job that has failed, once it is known why: that is worth the second or two. */
  public static Optional<Loss> failed(Job job) {
    return job.state() == FlinkJobState.FAILED
        ? job.failure()
            .map(
                why -> new Loss(RecoveryCause.JOB_FAILED, "job " + job.id() + " is FAILED: " + why))
        : Optional.empty();
  }

  private static boolean wasBegunSince(OperationStatus givenUp, @Nullable JobStatus job) {
    String since = givenUp.since();
    String begun = job == null ? null : job.startTime();
    return since != null
        && begun != null
        && begun.matches("\\d{1,15}")
        && Instant.ofEpochMilli(Long.parseLong(begun)).isAfter(Instant.parse(since));
  }

  private static boolean isGivenUp(OperationStatus operation) {
    return operation.type() == OperationType.RECOVER
        && (operation.state() == OperationState.ABORTED
            || operation.state() == OperationState.FAILED);
  }
}
