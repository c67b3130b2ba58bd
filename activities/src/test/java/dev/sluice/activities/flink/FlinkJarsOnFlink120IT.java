package dev.sluice.activities.flink;

import org.junit.jupiter.api.Tag;

/** The tests of {@link FlinkJarsIT} on the oldest supported version. */
@Tag("slow")
@OnFlink(FlinkVersion.V1_20)
class FlinkJarsOnFlink120IT extends FlinkJarsIT {

  FlinkJarsOnFlink120IT(FlinkCluster cluster) {
    super(cluster);
  }
}
