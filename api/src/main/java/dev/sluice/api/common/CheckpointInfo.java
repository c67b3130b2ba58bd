package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * Checkpoints as Apache's operator records them where there is no FlinkStateSnapshot. Written by
 * the workflows of snapshots only.
 */
@JsonRecord
public record CheckpointInfo(
    @JsonPropertyDescription("The last one completed.") @Nullable Checkpoint lastCheckpoint,
    @JsonPropertyDescription("Trigger id of a pending one.") @Nullable String triggerId,
    @JsonPropertyDescription("When the pending one was triggered, milliseconds since 1970.")
        @Nullable Long triggerTimestamp,
    @JsonPropertyDescription("MANUAL, PERIODIC, UPGRADE or UNKNOWN.") @Nullable String triggerType,
    @JsonPropertyDescription("FULL, INCREMENTAL or UNKNOWN.") @Nullable String formatType,
    @JsonPropertyDescription("When the last periodic one was triggered, milliseconds since 1970.")
        long lastPeriodicCheckpointTimestamp) {}
