package dev.sluice.api.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskManagerScalingTest {

  @ParameterizedTest(
      name = "the cluster has {0} slots, by default {1}; the newest {2}, parallelism {3}, {4}: {5}")
  @CsvSource({
    "2, , 2, 8, , 4",
    "2, , 4, 8, , 4",
    "4, , 2, 9, , 3",
    ", 4, , 8, , 2",
    ", 4, 1, 8, , 2",
    "2, 4, , 8, , 4",
    ", , 4, 8, , 8",
    "2, , 4, 8, 5, 5",
    "2, , 2, 0, , 1",
  })
  void theNewestSpecSaysHowMuchAndTheClusterHowManyTaskManagersThatAre(
      Integer slots,
      Integer byDefault,
      Integer newest,
      int parallelism,
      Integer replicas,
      int expected) {
    FrozenSpec runs = new FrozenSpec(spec(slots, 3, 1), 1, false, slots(byDefault));

    assertThat(TaskManagerScaling.taskManagers(runs, spec(newest, parallelism, replicas)))
        .isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}, job {1}, scheduler-mode {2}")
  @CsvSource({
    "STANDALONE, false, , true",
    "STANDALONE, true, reactive, true",
    "STANDALONE, true, , false",
    "NATIVE, false, , false",
    "NATIVE, true, reactive, false"
  })
  void thoseOfAReactiveJobAndOfAStandaloneSessionClusterMayComeAndGo(
      KubernetesDeploymentMode mode, boolean job, String scheduler, boolean scales) {
    FlinkDeploymentSpec spec =
        FlinkDeploymentSpec.EMPTY
            .withMode(mode)
            .withJob(job ? JobSpec.of("local:///a.jar", 1, UpgradeMode.STATELESS) : null)
            .withConfiguration(
                scheduler == null
                    ? FlinkConfiguration.empty()
                    : FlinkConfiguration.of(Map.of(ReactiveMode.KEY, scheduler)));

    assertThat(TaskManagerScaling.scales(spec)).isEqualTo(scales);
  }

  private static FlinkDeploymentSpec spec(Integer slots, int parallelism, Integer replicas) {
    return FlinkDeploymentSpec.EMPTY
        .withConfiguration(slots(slots))
        .withTaskManager(new TaskManagerSpec(null, null, replicas, null))
        .withJob(JobSpec.of("local:///a.jar", parallelism, UpgradeMode.STATELESS));
  }

  private static FlinkConfiguration slots(Integer slots) {
    return slots == null
        ? FlinkConfiguration.empty()
        : FlinkConfiguration.of(Map.of(ClusterSize.SLOTS, "" + slots));
  }
}
