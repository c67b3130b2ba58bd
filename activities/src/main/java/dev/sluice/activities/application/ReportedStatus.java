package dev.sluice.activities.application;

import dev.sluice.activities.status.OperationChange;
import dev.sluice.api.application.ApplicationError;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.workflows.activity.OperationReport;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The workflow's part of an application's status, and what a run says of itself there. Pure. */
final class ReportedStatus {

  private static final int LONGEST_MESSAGE = 1024;

  /** The fields that are the workflow's, and nobody else's. */
  static final List<String> OWNED =
      List.of(
          "phase",
          "reason",
          "startedAt",
          "lastUpdatedAt",
          "deployHash",
          "deployVersion",
          "updatingHash",
          "updatingVersion",
          "failedDeployHash",
          "rollbackHash",
          "teardownHash",
          "inPlaceUpdatedFromHash",
          "savepointTriggerId",
          "savepointPath",
          "retryCount",
          "lastSeenError",
          "deploymentMode",
          "deployment",
          "operation");

  private ReportedStatus() {}

  /** Those fields alone. */
  static FlinkApplicationStatus owned(FlinkApplicationStatus status) {
    return FlinkApplicationStatus.EMPTY
        .withPhase(status.phase())
        .withReason(status.reason())
        .withStartedAt(status.startedAt())
        .withLastUpdatedAt(status.lastUpdatedAt())
        .withDeployHash(status.deployHash())
        .withDeployVersion(status.deployVersion())
        .withUpdatingHash(status.updatingHash())
        .withUpdatingVersion(status.updatingVersion())
        .withFailedDeployHash(status.failedDeployHash())
        .withRollbackHash(status.rollbackHash())
        .withTeardownHash(status.teardownHash())
        .withInPlaceUpdatedFromHash(status.inPlaceUpdatedFromHash())
        .withSavepointTriggerId(status.savepointTriggerId())
        .withSavepointPath(status.savepointPath())
        .withRetryCount(status.retryCount())
        .withLastSeenError(status.lastSeenError())
        .withDeploymentMode(status.deploymentMode())
        .withDeployment(status.deployment())
        .withOperation(status.operation());
  }

  /** A status with what a run reports. The same report again changes nothing. */
  static FlinkApplicationStatus of(
      FlinkApplicationStatus status, OperationReport report, Instant now) {
    OperationStatus before = status.operation();
    OperationStatus operation =
        OperationChange.of(before, report.withMessage(message(report)), now);
    boolean begins = before == null || !Objects.equals(before.runId(), operation.runId());
    int attempt = Objects.requireNonNullElse(operation.attempt(), 1);
    return status
        .withOperation(operation)
        .withStartedAt(
            begins || status.startedAt() == null
                ? ApplicationStatuses.seconds(now)
                : status.startedAt())
        .withRetryCount(attempt > 1 ? attempt - 1 : null)
        .withLastSeenError(error(status.lastSeenError(), report, now));
  }

  private static @Nullable ApplicationError error(
      @Nullable ApplicationError before, OperationReport report, Instant now) {
    if (report.reason() == null) {
      return null;
    }
    boolean failFast =
        report.state() == OperationState.PARKED || report.state() == OperationState.FAILED;
    ApplicationError error =
        new ApplicationError(
            message(report),
            report.step(),
            report.reason(),
            !failFast,
            failFast,
            null,
            ApplicationStatuses.seconds(now));
    return before != null && same(before, error) ? before : error;
  }

  private static boolean same(ApplicationError one, ApplicationError other) {
    return Objects.equals(one.appError(), other.appError())
        && Objects.equals(one.method(), other.method())
        && Objects.equals(one.errorCode(), other.errorCode())
        && Objects.equals(one.isFailFast(), other.isFailFast());
  }

  /** What a run says, not longer than the status takes. */
  static String message(OperationReport report) {
    return BoundedText.of(report.message(), LONGEST_MESSAGE);
  }
}
