package dev.sluice.api.snapshot;

/** How a savepoint is written. */
public enum SavepointFormatType {
  /** The same for every state backend. */
  CANONICAL,
  /** The state backend's own: quicker, and larger jobs can be restored from it sooner. */
  NATIVE,
  /** Apache's schema takes it; no savepoint can be taken in it. */
  UNKNOWN
}
