package dev.sluice.api.common;

import java.util.Locale;

/** What a snapshot is. */
public enum SnapshotType {
  /** Belongs to whoever asked for it. */
  SAVEPOINT,
  /** Belongs to Flink, which deletes it with the next ones. */
  CHECKPOINT;

  /** As in sentences and names: {@code savepoint}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
