package dev.sluice.local.cluster;

/** What is seen of a part before a plan is made. */
enum PartObservation {
  /** There is no record of it. */
  NEVER_STARTED,
  /** It was started and has ended, by {@code down} or otherwise. */
  ENDED,
  /** It runs, but would now be started differently. */
  OUTDATED,
  /** It runs as it should and does not answer. */
  UNREADY,
  /** All is well. */
  READY
}
