package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.Resource;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.InPlaceScaling;
import dev.sluice.api.deployment.JobManagerSpec;
import dev.sluice.api.deployment.TaskManagerSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParallelismTest {
  private static final Resource SIZE = new Resource(1.0, "2g", null);

  private static final String PATH_OF_OVERRIDES =
      "spec.flinkConfiguration." + InPlaceScaling.OVERRIDES + ": ";

  private static FlinkDeploymentSpec taskManagers(int replicas) {
    return Specs.VALID.withTaskManager(new TaskManagerSpec(SIZE, null, replicas, null));
  }

  private static FlinkDeploymentSpec jobManagers(int replicas) {
    return Specs.configured(
            Map.of(
                "high-availability.type", "kubernetes", "high-availability.storageDir", "s3://b"))
        .withJobManager(new JobManagerSpec(SIZE, null, replicas, null));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 128, 32_767, 32_768})
  void aParallelismWithinFlinksBoundsIsFine(int parallelism) {
    assertThat(Specs.messages(Specs.VALID.withJob(Specs.JOB.withParallelism(parallelism))))
        .isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | must be at least 1, but is 0. Set it, or set spec.taskManager.replicas",
        "-1 | must be at least 1, but is -1. Set it, or set spec.taskManager.replicas",
        "-2147483648 | must be at least 1, but is -2147483648. Set it, or set"
            + " spec.taskManager.replicas",
      })
  void aParallelismOutsideOfThemIsNot(int parallelism, String message) {
    assertThat(Specs.messages(Specs.VALID.withJob(Specs.JOB.withParallelism(parallelism))))
        .containsExactly("spec.job.parallelism: " + message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "bc764cd8:1", "bc764cd8:4,0a448493:32768", "bc764cd8: 4, 0a448493: 2"})
  void overridesOfVerticesWithinThemAreFine(String overrides) {
    assertThat(Specs.messages(Specs.configured(InPlaceScaling.OVERRIDES, overrides))).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "a:0 | must give each vertex between 1 and 32768, but is 0 for vertex 'a'",
        "a:2,b:-1 | must give each vertex between 1 and 32768, but is -1 for vertex 'b'",
        "a:32769 | must give each vertex between 1 and 32768, but is 32769 for vertex 'a'",
      })
  void overridesOfVerticesOutsideOfThemAreNot(String overrides, String message) {
    assertThat(Specs.messages(Specs.configured(InPlaceScaling.OVERRIDES, overrides)))
        .containsExactly(PATH_OF_OVERRIDES + message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:two", "a", "a:1.5", "a:99999999999"})
  void overridesThatAreNoNumbersAreNot(String overrides) {
    assertThat(Specs.messages(Specs.configured(InPlaceScaling.OVERRIDES, overrides)))
        .singleElement()
        .asString()
        .startsWith(PATH_OF_OVERRIDES + "must be the parallelism of each vertex by its id");
  }

  @Test
  void withTaskManagersTheParallelismNeedNotBeGiven() {
    assertThat(Specs.messages(taskManagers(3).withJob(Specs.JOB.withParallelism(0)))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 32_768})
  void taskManagersWithinTheBoundsAreFine(int replicas) {
    assertThat(Specs.messages(taskManagers(replicas))).isEmpty();
  }

  @ParameterizedTest(name = "{0} times {1}")
  @CsvSource({"32768, 2", "2, 32768", "200, 200", "32768, 32768"})
  void taskManagersTimesSlotsMustNotExceedFlinksParallelism(int replicas, int slots) {
    FlinkDeploymentSpec spec =
        taskManagers(replicas)
            .withConfiguration(
                FlinkConfiguration.of(Map.of("taskmanager.numberOfTaskSlots", "" + slots)));

    assertThat(Specs.messages(spec))
        .containsExactly(
            "spec.taskManager.replicas: times taskmanager.numberOfTaskSlots must be at most 32768,"
                + " Flink's largest parallelism, but is %d times %d".formatted(replicas, slots));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100})
  void jobManagersWithinTheBoundsAreFine(int replicas) {
    assertThat(Specs.messages(jobManagers(replicas))).isEmpty();
  }

  @Test
  void moreThanOneJobManagerNeedsHighAvailability() {
    FlinkDeploymentSpec spec = Specs.VALID.withJobManager(new JobManagerSpec(SIZE, null, 2, null));

    assertThat(Specs.messages(spec))
        .containsExactly(
            "spec.jobManager.replicas: must be 1 without high availability, but is 2. Set"
                + " high-availability.type: kubernetes and high-availability.storageDir");
  }
}
