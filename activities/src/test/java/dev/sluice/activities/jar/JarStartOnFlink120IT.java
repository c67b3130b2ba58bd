package dev.sluice.activities.jar;

import dev.sluice.activities.flink.FlinkCluster;
import dev.sluice.activities.flink.FlinkVersion;
import dev.sluice.activities.flink.OnFlink;
import org.junit.jupiter.api.Tag;

/** The tests of {@link JarStartIT} on the oldest supported version. */
@Tag("slow")
@OnFlink(FlinkVersion.V1_20)
class JarStartOnFlink120IT extends JarStartIT {

  JarStartOnFlink120IT(FlinkCluster cluster) {
    super(cluster);
  }
}
