package dev.sluice.activities.flink;

import org.junit.jupiter.api.Tag;

/** The tests of {@link SnapshotsIT} on the oldest supported version. */
@Tag("slow")
@OnFlink(FlinkVersion.V1_20)
class SnapshotsOnFlink120IT extends SnapshotsIT {

  SnapshotsOnFlink120IT(FlinkCluster cluster) {
    super(cluster);
  }
}
