package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that is taken without a FlinkStateSnapshot: the status of its job's resource has it.
 */
@JsonRecord
@WithMethods
public record StatusSnapshot(
    @JsonPropertyDescription("Tells it from the others; a FlinkStateSnapshot would have this name.")
        @Nullable String name,
    @JsonPropertyDescription("MANUAL or PERIODIC.") @Nullable String triggerType,
    @JsonPropertyDescription(
            "CANONICAL or NATIVE; of a checkpoint FULL, CONFIGURED or INCREMENTAL.")
        @Nullable String formatType,
    @JsonPropertyDescription("The nonce that asked for it; absent when it is periodic.")
        @Nullable Long triggerNonce,
    @JsonPropertyDescription("As the status of a FlinkStateSnapshot.") @Nullable Progress status)
    implements StatusSnapshotBuilder.With {

  private static final Set<String> OPEN = Set.of("TRIGGER_PENDING", "IN_PROGRESS");

  /** It was neither taken nor given up so far. */
  @JsonIgnore
  public boolean isOpen() {
    return status == null || status.state() == null || OPEN.contains(status.state());
  }

  /**
   * What became of a snapshot without a FlinkStateSnapshot: the workflow's part of the status of
   * one.
   */
  @JsonRecord
  public record Progress(
      @JsonPropertyDescription("TRIGGER_PENDING, IN_PROGRESS, COMPLETED, FAILED or ABANDONED.")
          @Nullable String state,
      @Nullable String triggerId,
      @Nullable String triggerTimestamp,
      @Nullable String resultTimestamp,
      @Nullable String path,
      @Nullable String error,
      @Nullable Integer failures,
      @Nullable String jobId,
      @JsonPropertyDescription("Its run in Temporal.") @Nullable OperationStatus operation) {}
}
