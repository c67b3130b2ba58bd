package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * What the spec of a resource has already made Sluice take of each type. Written by the controller
 * only.
 */
@JsonRecord
public record SnapshotTriggers(
    @JsonPropertyDescription("Savepoints.") @Nullable SnapshotTrigger savepoint,
    @JsonPropertyDescription("Checkpoints.") @Nullable SnapshotTrigger checkpoint) {

  /** Nothing was ever asked for. */
  public static final SnapshotTriggers NONE = new SnapshotTriggers(null, null);

  /** Of that type; null while nothing was asked for. */
  public @Nullable SnapshotTrigger of(SnapshotType type) {
    return type == SnapshotType.SAVEPOINT ? savepoint : checkpoint;
  }

  /** The same with another one of that type. */
  public SnapshotTriggers with(SnapshotType type, @Nullable SnapshotTrigger trigger) {
    return type == SnapshotType.SAVEPOINT
        ? new SnapshotTriggers(trigger, checkpoint)
        : new SnapshotTriggers(savepoint, trigger);
  }

  /** The same, or null when it says nothing. */
  public @Nullable SnapshotTriggers orNull() {
    return NONE.equals(this) ? null : this;
  }
}
