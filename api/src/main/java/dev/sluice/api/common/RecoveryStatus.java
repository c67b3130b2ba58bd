package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * How often the job was brought back since it was last stable for long. It limits how often that is
 * tried, so it outlives every run. Written by the workflow only.
 */
@JsonRecord
public record RecoveryStatus(
    @JsonPropertyDescription("How many attempts were begun since the job was last stable for long.")
        @Nullable Integer attempts,
    @JsonPropertyDescription(
            "When the job was up again after the last attempt, RFC 3339; absent while it is not.")
        @Nullable String since,
    @JsonPropertyDescription("JobManagerMissing, JobFailed or Unhealthy.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable RecoveryCause cause) {

  /** The same, of a job that is up since then. */
  public RecoveryStatus upSince(String time) {
    return new RecoveryStatus(attempts, time, cause);
  }
}
