package dev.sluice.controller.application;

import dev.sluice.activities.application.ApplicationStatuses;
import dev.sluice.api.application.ApplicationJobStatus;
import dev.sluice.controller.observation.ObservedJob.Pending;
import java.util.Optional;

/** Tells whether a version that is to run has lost its job, so that an operation brings it back. */
final class LostVersion {

  private LostVersion() {}

  /** The first of those that are to run; empty while an operation is open, or is to begin. */
  static Optional<ObservedVersion> of(SeenApplication seen) {
    return seen.phase().isIdle() && !seen.isLyfts()
        ? seen.running().stream().filter(version -> isLost(seen, version)).findFirst()
        : Optional.empty();
  }

  private static boolean isLost(SeenApplication seen, ObservedVersion version) {
    if (version.ref().jobId() == null || hasEnded(seen, version)) {
      return false;
    }
    boolean gone = !version.cluster().complete() && !(version.flink() instanceof Pending);
    return gone || version.isJobAbsent();
  }

  /** A job that has ended by itself is not lost when its JobManager forgets it. */
  static boolean hasEnded(SeenApplication seen, ObservedVersion version) {
    return lastOf(seen, version)
        .filter(it -> it.state() != null && it.state().isGloballyTerminal())
        .isPresent();
  }

  /** What was last seen of its job. */
  static Optional<ApplicationJobStatus> lastOf(SeenApplication seen, ObservedVersion version) {
    return ApplicationStatuses.lastSeen(seen.resource().getStatus(), version.ref().jobId());
  }
}
