package dev.sluice.api.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterSizeTest {
  private static ClusterSize size(int parallelism, Integer replicas, String slots) {
    return ClusterSize.of(
        FlinkDeploymentSpec.EMPTY
            .withJob(JobSpec.of("local:///a.jar", parallelism, UpgradeMode.STATELESS))
            .withTaskManager(new TaskManagerSpec(null, null, replicas, null))
            .withConfiguration(FlinkConfiguration.of(Map.of(ClusterSize.SLOTS, slots))));
  }

  @ParameterizedTest(name = "parallelism {0}, {1} TaskManagers, {2} slots")
  @CsvSource({
    // the parallelism says how many TaskManagers are needed
    "1, , 1, 1, 1",
    "4, , 2, 4, 2",
    "5, , 2, 5, 3",
    "5, , 8, 5, 1",
    "0, , 2, 0, 0",
    // TaskManagers say the parallelism
    "99, 3, 2, 6, 3",
    "99, 32768, 1, 32768, 32768",
    // nothing overflows
    "2147483647, , 2, 2147483647, 1073741824",
    "2147483647, , 2147483647, 2147483647, 1",
    "-2147483648, , 2, 0, 0",
    "1, 2147483647, 2147483647, 2147483647, 2147483647",
    "1, -2147483648, 2, 0, 0",
    // slots that are no number count as one
    "4, , two, 4, 4",
    "4, , -3, 4, 4",
    "4, , 2147483648, 4, 4",
    "4, , '', 4, 4",
  })
  void parallelismAndTaskManagersFollowFromEachOther(
      int parallelism, Integer replicas, String slots, int expected, int taskManagers) {
    ClusterSize size = size(parallelism, replicas, slots);

    assertThat(size.parallelism()).isEqualTo(expected);
    assertThat(size.taskManagers()).isEqualTo(taskManagers);
    assertThat(size.slots()).isPositive();
  }

  @Test
  void aSessionClusterAsksForNone() {
    assertThat(ClusterSize.of(FlinkDeploymentSpec.EMPTY)).isEqualTo(new ClusterSize(0, 1, 0));
  }
}
