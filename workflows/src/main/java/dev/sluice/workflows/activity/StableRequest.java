package dev.sluice.workflows.activity;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import org.jspecify.annotations.Nullable;

/**
 * The frozen target is reached.
 *
 * @param report what to write into {@code status.operation}
 * @param jobId the job that runs as the target says; null when the target is suspended
 * @param inPlace it is the job of the spec before, which was never stopped; null where it was
 *     started
 */
public record StableRequest(
    OperationReport report, @Nullable String jobId, @Nullable InPlace inPlace)
    implements ResourceRequest {

  /**
   * @param startedFrom what that job was started from; null when that is not known
   */
  public record InPlace(@Nullable RestorePoint startedFrom) {}

  /** Of a job that was started, or of none. */
  public StableRequest(OperationReport report, @Nullable String jobId) {
    this(report, jobId, null);
  }

  @Override
  @JsonIgnore
  public ResourceRef resource() {
    return report.resource();
  }
}
