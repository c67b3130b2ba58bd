package dev.sluice.local.cluster;

/** What has to be done with a part. */
enum Action {
  KEEP,
  START,
  RESTART;

  /** What brings a part, seen once those it depends on are ready, to where it should be. */
  static Action of(PartObservation observation) {
    return switch (observation) {
      case READY -> KEEP;
      case NEVER_STARTED, ENDED -> START;
      case OUTDATED, UNREADY -> RESTART;
    };
  }
}
