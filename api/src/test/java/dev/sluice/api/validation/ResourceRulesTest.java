package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.Resource;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.JobManagerSpec;
import dev.sluice.api.deployment.TaskManagerSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both styles: {@code resource} and {@code resources}. */
class ResourceRulesTest {
  private static FlinkDeploymentSpec resource(Double cpu, String memory, String storage) {
    return Specs.VALID.withTaskManager(
        new TaskManagerSpec(new Resource(cpu, memory, storage), null, null, null));
  }

  private static FlinkDeploymentSpec requests(String name, String amount) {
    return Specs.VALID.withJobManager(
        new JobManagerSpec(
            new Resource(null, "2g", null),
            new ResourceRequirementsBuilder()
                .withRequests(Map.of(name, new Quantity(amount)))
                .build(),
            1,
            null));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.1, 4, 1_000_000})
  void coresWithinTheirBoundsAreFine(double cpu) {
    assertThat(Specs.messages(resource(cpu, "2g", null))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1_000_001, 1e300, Double.NaN, Double.POSITIVE_INFINITY})
  void coresOutsideOfThemAreNot(double cpu) {
    assertThat(Specs.messages(resource(cpu, "2g", null)))
        .containsExactly(
            "spec.taskManager.resource.cpu: must be between 0 and 1000000, but is " + cpu);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2g", "2048m", "2 gb", "2Gi", "2.5G", "1m", "1024 tb"})
  void memoryOfFlinkOrKubernetesIsFine(String memory) {
    assertThat(Specs.messages(resource(1.0, memory, null))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "1023k", "lots", "2GB2", "2 GiB", "1e30", "1e999999", "１g"})
  void otherMemoryIsNot(String memory) {
    assertThat(Specs.messages(resource(1.0, memory, null)))
        .containsExactly(
            "spec.taskManager.resource.memory: must be an amount of memory like '2048m' or '2Gi',"
                + " at least 1 MiB and at most 1 PiB, but is '"
                + memory
                + "'");
  }

  @Test
  void blankMemoryIsNoMemory() {
    assertThat(Specs.paths(resource(1.0, " ", null)))
        .containsExactly(
            "spec.taskManager.resources.requests.memory", "spec.taskManager.resource.memory");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"2Gi, true", "500M, true", "0, true", "2 gb, false", "-1Gi, false", "'', false"})
  void ephemeralStorageIsAQuantity(String storage, boolean fine) {
    assertThat(Specs.messages(resource(1.0, "2g", storage)).isEmpty()).isEqualTo(fine);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "cpu, 500m",
    "cpu, 1000000",
    "memory, 1Mi",
    "memory, 2Gi",
    "memory, 1e9",
    "nvidia.com/gpu, 0",
    "ephemeral-storage, 10Gi",
  })
  void requestsWithinTheirBoundsAreFine(String name, String amount) {
    assertThat(Specs.messages(requests(name, amount))).isEmpty();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "cpu | 0 | must be more than 0 and at most 1000000, but is '0'",
        "cpu | 1000001 | must be more than 0 and at most 1000000, but is '1000001'",
        "memory | 1023Ki | must be at least 1 MiB and at most 1 PiB, but is '1023Ki'",
        "memory | 1025Ti | must be at least 1 MiB and at most 1 PiB, but is '1025Ti'",
        "memory | 9E | must be at least 1 MiB and at most 1 PiB, but is '9E'",
        "nvidia.com/gpu | -1 | must not be negative, but is '-1'",
        "memory | 2GB | must be a quantity like '500m' or '2Gi', but is '2GB'",
        "memory | 1e99 | must be a quantity below 2^63, but is '1e99'",
        "cpu | 1e999 | must be a quantity like '500m' or '2Gi', but is '1e999'",
      })
  void requestsOutsideOfThemAreReported(String name, String amount, String message) {
    assertThat(Specs.messages(requests(name, amount)))
        .containsExactly("spec.jobManager.resources.requests." + name + ": " + message);
  }

  @Test
  void aRequestMustNotBeMoreThanItsLimit() {
    ResourceRequirements resources =
        new ResourceRequirementsBuilder()
            .addToRequests("memory", new Quantity("2048Mi"))
            .addToLimits("memory", new Quantity("1Gi"))
            .addToRequests("cpu", new Quantity("1"))
            .addToLimits("cpu", new Quantity("1000m"))
            .build();
    FlinkDeploymentSpec spec =
        Specs.VALID.withTaskManager(new TaskManagerSpec(null, resources, null, null));

    assertThat(Specs.messages(spec))
        .containsExactly(
            "spec.taskManager.resources.requests.memory: must not be more than its limit 1Gi, but"
                + " is 2048Mi");
  }
}
