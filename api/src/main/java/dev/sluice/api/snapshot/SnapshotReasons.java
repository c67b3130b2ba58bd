package dev.sluice.api.snapshot;

/**
 * Reasons in the conditions of a FlinkStateSnapshot beside those that every kind has: {@link
 * dev.sluice.api.condition.Reasons}.
 */
public final class SnapshotReasons {
  /** Ready: it was taken. Nothing to do. */
  public static final String COMPLETED = "SnapshotCompleted";

  /** It is being taken, or its job is waited for. Wait, or see status.operation. */
  public static final String IN_PROGRESS = "SnapshotInProgress";

  /** It was tried as often as spec.backoffLimit allows. Annotate with sluice.dev/retry. */
  public static final String FAILED = "SnapshotFailed";

  /**
   * Its job is gone, has ended or was replaced, or it was aborted. Annotate with sluice.dev/retry
   * to take one of the job that runs now.
   */
  public static final String ABANDONED = "SnapshotAbandoned";

  private SnapshotReasons() {}
}
