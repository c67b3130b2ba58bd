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

  @ParameterizedTest(name = "parallelism {0}, {2} slots: {3} TaskManagers")
  @CsvSource({
    "1, , 1, 1",
    "4, , 2, 2",
    "5, , 2, 3",
    "5, , 8, 1",
    "0, , 2, 0",
    "32768, , 1, 32768",
  })
  void theParallelismSaysHowManyTaskManagersAreNeeded(
      int parallelism, Integer replicas, int slots, int taskManagers) {
    assertThat(size(parallelism, replicas, "" + slots))
        .isEqualTo(new ClusterSize(parallelism, slots, taskManagers));
  }

  @ParameterizedTest(name = "{0} TaskManagers, {1} slots: parallelism {2}")
  @CsvSource({"1, 1, 1", "3, 2, 6", "32768, 1, 32768"})
  void taskManagersSayTheParallelism(int replicas, int slots, int parallelism) {
    assertThat(size(99, replicas, "" + slots))
        .isEqualTo(new ClusterSize(parallelism, slots, replicas));
  }

  @ParameterizedTest(name = "parallelism {0}, {1} TaskManagers, {2} slots")
  @CsvSource({
    "2147483647, , 1, 2147483647",
    "2147483647, , 2, 1073741824",
    "2147483647, , 2147483647, 1",
    "-2147483648, , 2, 0",
    "-1, , 1, 0",
    "1, 2147483647, 2147483647, 2147483647",
    "1, -2147483648, 2, 0",
  })
  void nothingOverflows(int parallelism, Integer replicas, String slots, int taskManagers) {
    ClusterSize size = size(parallelism, replicas, slots);

    assertThat(size.taskManagers()).isEqualTo(taskManagers);
    assertThat(size.parallelism()).isNotNegative();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"two", "0", "-3", "2147483648", "''"})
  void slotsThatAreNoNumberCountAsOne(String slots) {
    assertThat(size(4, null, slots)).isEqualTo(new ClusterSize(4, 1, 4));
  }

  @Test
  void aSessionClusterAsksForNone() {
    assertThat(ClusterSize.of(FlinkDeploymentSpec.EMPTY)).isEqualTo(new ClusterSize(0, 1, 0));
  }
}
