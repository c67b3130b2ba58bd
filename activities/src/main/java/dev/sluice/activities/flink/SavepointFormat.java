package dev.sluice.activities.flink;

/** Binary format of a savepoint. */
public enum SavepointFormat {
  /** The same for all state backends. */
  CANONICAL,
  /** The state backend's own: quicker to take and to restore. */
  NATIVE
}
