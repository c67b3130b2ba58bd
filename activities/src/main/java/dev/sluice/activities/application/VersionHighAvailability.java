package dev.sluice.activities.application;

import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.HighAvailabilityMetadata;
import dev.sluice.api.common.HighAvailabilityMode;
import java.util.OptionalLong;

/** What the high-availability metadata of a version's cluster tells, which may be gone itself. */
final class VersionHighAvailability {

  private final FrozenVersion version;
  private final ClusterAccess access;

  VersionHighAvailability(FrozenVersion version, ClusterAccess access) {
    this.version = version;
    this.access = access;
  }

  /** The id of the newest checkpoint of a job; empty where there is none. */
  OptionalLong newestCheckpoint(String jobId) {
    return HighAvailabilityMode.of(version.configuration()).isOn()
        ? HighAvailabilityMetadata.newestCheckpoint(
            version.cluster(), jobId, access.live().highAvailability(version.cluster()))
        : OptionalLong.empty();
  }
}
