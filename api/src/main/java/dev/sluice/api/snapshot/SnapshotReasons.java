package dev.sluice.api.snapshot;

/**
 * Reasons in the conditions of a FlinkStateSnapshot beside those that every kind has: {@link
 * dev.sluice.api.condition.Reasons}.
 */
public final class SnapshotReasons {
  public static final String COMPLETED = "SnapshotCompleted";
  public static final String IN_PROGRESS = "SnapshotInProgress";
  public static final String FAILED = "SnapshotFailed";
  public static final String ABANDONED = "SnapshotAbandoned";

  private SnapshotReasons() {}
}
