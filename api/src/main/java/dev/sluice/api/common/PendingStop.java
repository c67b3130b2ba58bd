package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stop of the job that Flink was asked for, or is about to be, while the state that it leaves is
 * not recorded. It is in the status before Flink is asked, so that every run knows whether the job
 * may have been stopped. Written by the workflow only.
 */
@JsonRecord
public record PendingStop(
    @JsonPropertyDescription("Flink job id of the job that is being stopped.")
        @Nullable String jobId,
    @JsonPropertyDescription("Trigger id of the stop with savepoint; absent for a cancellation.")
        @Nullable String triggerId,
    @JsonPropertyDescription("When the stop was begun, RFC 3339.") @Nullable String since) {

  /** The trigger of a stop with savepoint of that job; null when this is none. */
  public @Nullable String triggerOf(String job) {
    return job.equals(jobId) ? triggerId : null;
  }

  /** When the stop was begun, ms since the epoch; 0 when that is not known. */
  @JsonIgnore
  public long sinceMs() {
    return Objects.requireNonNullElse(WrittenTime.millis(since), 0L);
  }
}
