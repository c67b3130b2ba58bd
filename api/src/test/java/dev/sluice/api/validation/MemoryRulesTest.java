package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.JobManagerSpec;
import dev.sluice.api.deployment.TaskManagerSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryRulesTest {
  private static final String TASK_MANAGER = "taskmanager.memory.process.size";
  private static final FlinkDeploymentSpec NONE =
      Specs.VALID.withJobManager(JobManagerSpec.DEFAULT).withTaskManager(TaskManagerSpec.DEFAULT);

  @Test
  void bothProcessesNeedTheirMemory() {
    assertThat(Specs.paths(NONE))
        .containsExactly(
            "spec.jobManager.resources.requests.memory",
            "spec.taskManager.resources.requests.memory");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jobmanager.memory.process.size",
        "jobmanager.memory.flink.size",
        "jobmanager.memory.heap.size",
      })
  void eachOfTheseKeysSaysTheMemoryOfTheJobManager(String key) {
    FlinkDeploymentSpec spec =
        NONE.withConfiguration(FlinkConfiguration.of(Map.of(key, "1g", TASK_MANAGER, "1g")));

    assertThat(Specs.messages(spec)).isEmpty();
  }

  /** Flink for containers has another, which nothing renders. */
  @Test
  void theOldKeyOfTheJobManagersHeapDoesNot() {
    FlinkDeploymentSpec spec =
        NONE.withConfiguration(
            FlinkConfiguration.of(Map.of("jobmanager.heap.size", "1g", TASK_MANAGER, "1g")));

    assertThat(Specs.paths(spec)).containsExactly("spec.jobManager.resources.requests.memory");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "jobmanager.memory.process.size | 2Gi | must be an amount of memory like '1024m' or '1 gb',"
            + " but is '2Gi'",
        "jobmanager.memory.process.size | 0 | must be at least 1 MiB and at most 1 PiB, but is '0'",
        "jobmanager.memory.flink.size | 1023k | must be at least 1 MiB and at most 1 PiB, but is"
            + " '1023k'",
        "taskmanager.memory.process.size | 1025 tb | must be at least 1 MiB and at most 1 PiB, but"
            + " is '1025 tb'",
        "taskmanager.memory.managed.size | 8388607 tb | must be at most 1 PiB, but is '8388607 tb'",
        "jobmanager.memory.off-heap.size | -1m | must be an amount of memory",
        "jobmanager.memory.jvm-metaspace.size | lots | must be an amount of memory",
        "jobmanager.memory.jvm-overhead.max | 2 pb | must be an amount of memory",
      })
  void amountsMustBeReadableAndPossible(String key, String value, String message) {
    assertThat(Specs.messages(Specs.configured(key, value)))
        .singleElement()
        .asString()
        .startsWith("spec.flinkConfiguration." + key + ": " + message);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "jobmanager.memory.process.size, 1m",
    "jobmanager.memory.process.size, 1024 tb",
    "taskmanager.memory.managed.size, 0",
    "taskmanager.memory.task.heap.size, 512 mb",
  })
  void amountsAtTheirBoundsAreFine(String key, String value) {
    assertThat(Specs.messages(Specs.configured(key, value))).isEmpty();
  }
}
