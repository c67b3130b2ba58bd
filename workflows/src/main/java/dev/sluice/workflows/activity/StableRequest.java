package dev.sluice.workflows.activity;

import org.jspecify.annotations.Nullable;

/**
 * The frozen target is reached.
 *
 * @param report what to write into {@code status.operation}
 * @param jobId the job that runs as the target says; null when the target is suspended
 * @param inPlace it is the job of the spec before, which was never stopped
 */
public record StableRequest(OperationReport report, @Nullable String jobId, boolean inPlace)
    implements ReportRequest {

  /** Of a job that was started, or of none. */
  public StableRequest(OperationReport report, @Nullable String jobId) {
    this(report, jobId, false);
  }
}
