package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
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
    @Nullable Boolean inDoubt,
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
        @JsonPropertyDescription("Attempts before it that may have been completed all the same.")
        List<EarlierTrigger> earlier,
    @JsonPropertyDescription("Its run in Temporal.") @Nullable OperationStatus operation) {

  public SnapshotProgress {
    earlier = Json.copyOrEmpty(earlier);
  }

  /** It was neither taken nor given up so far. */
  @JsonIgnore
  public boolean isOpen() {
    return resultTimestamp == null;
  }
}
