package dev.sluice.activities.flink;

import org.junit.jupiter.api.Tag;

/** The tests of {@link FlinkRestIT} on the oldest supported version. */
@Tag("slow")
@OnFlink(FlinkVersion.V1_20)
class FlinkRestOnFlink120IT extends FlinkRestIT {

  FlinkRestOnFlink120IT(FlinkCluster cluster) {
    super(cluster);
  }
}
