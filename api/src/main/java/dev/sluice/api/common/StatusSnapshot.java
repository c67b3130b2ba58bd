package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that is taken without a FlinkStateSnapshot: the status of its job's resource has it.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record StatusSnapshot(
    @JsonPropertyDescription("Tells it from the others; a FlinkStateSnapshot would have this name.")
        @Nullable String name,
    @JsonPropertyDescription("MANUAL or PERIODIC.") @Nullable String triggerType,
    @JsonPropertyDescription(
            "CANONICAL or NATIVE; of a checkpoint FULL, CONFIGURED or INCREMENTAL.")
        @Nullable String formatType,
    @JsonPropertyDescription("The nonce that asked for it; absent when it is periodic.")
        @Nullable Long triggerNonce,
    @JsonPropertyDescription("Name of the newest one that a nonce asked for and that was begun.")
        @Nullable String newestManual,
    @JsonPropertyDescription("Name of the newest periodic one that was begun.")
        @Nullable String newestPeriodic,
    @JsonPropertyDescription("As the status of a FlinkStateSnapshot.")
        @Nullable SnapshotProgress status) {

  /** Whether nothing happens any more. */
  @JsonIgnore
  public boolean hasEnded() {
    return status != null && !status.isOpen();
  }

  /** The same with another status. */
  public StatusSnapshot withStatus(SnapshotProgress next) {
    return new StatusSnapshot(
        name, triggerType, formatType, triggerNonce, newestManual, newestPeriodic, next);
  }
}
