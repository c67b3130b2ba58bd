package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * The newest snapshot of each type that was taken, or is being taken, without a FlinkStateSnapshot.
 * Who requests one writes its first status, and its run the rest, both by one field manager.
 */
@JsonRecord
public record StatusSnapshots(
    @JsonPropertyDescription("The newest savepoint.") @Nullable StatusSnapshot savepoint,
    @JsonPropertyDescription("The newest checkpoint.") @Nullable StatusSnapshot checkpoint) {

  /** None was ever taken. */
  public static final StatusSnapshots NONE = new StatusSnapshots(null, null);

  /** Of that type; null when none was begun. */
  public @Nullable StatusSnapshot of(SnapshotType type) {
    return type == SnapshotType.SAVEPOINT ? savepoint : checkpoint;
  }

  /** The same with another one of that type. */
  public StatusSnapshots with(SnapshotType type, StatusSnapshot snapshot) {
    return type == SnapshotType.SAVEPOINT
        ? new StatusSnapshots(snapshot, checkpoint)
        : new StatusSnapshots(savepoint, snapshot);
  }
}
