package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What became of a snapshot without a FlinkStateSnapshot: the workflow's part of the status of one.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record SnapshotProgress(
    @JsonPropertyDescription("TRIGGER_PENDING, IN_PROGRESS, COMPLETED, FAILED or ABANDONED.")
        @Nullable String state,
    @Nullable String triggerId,
    @Nullable String triggerTimestamp,
    @Nullable String resultTimestamp,
    @Nullable String path,
    @Nullable String error,
    @Nullable Integer failures,
    @Nullable String jobId,
    @JsonPropertyDescription("Its run in Temporal.") @Nullable OperationStatus operation) {

  private static final Set<String> OPEN = Set.of("TRIGGER_PENDING", "IN_PROGRESS");

  /** It was neither taken nor given up so far. */
  @JsonIgnore
  public boolean isOpen() {
    return state == null || OPEN.contains(state);
  }
}
