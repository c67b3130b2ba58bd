package dev.sluice.activities.manifest.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.manifest.common.PodResources;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.Resource;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.JobManagerSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceConfigurationTest {

  @ParameterizedTest
  @CsvSource({"1024m, 1024m", "2g, 2048m", "2Gi, 2048m", "1.5G, 1500000000b", "1048577, 1048577b"})
  void readsMemoryInFlinksSpellingFirst(String given, String configured) {
    assertThat(options(new Resource(null, given, null), null))
        .containsExactly(Map.entry("jobmanager.memory.process.size", configured));
  }

  @Test
  void namesTheFieldThatIsNoAmountOfMemory() {
    assertThatThrownBy(() -> options(new Resource(1.0, "lots", null), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("spec.jobManager.resource.memory")
        .hasMessageContaining("'lots'");
  }

  @ParameterizedTest
  @CsvSource({
    "cpu=1e999999999",
    "cpu=-1",
    "memory=99999999999Ei",
    "memory=1e-999999999",
  })
  void anAmountThatNothingCanHoldIsRefused(String requests) {
    assertThatThrownBy(() -> options(null, resources(requests, "")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("spec.jobManager.resources: ");
  }

  @Test
  void aRequestOfNothingHasNoLimitFactor() {
    assertThat(options(null, resources("cpu=0", "cpu=2")))
        .containsOnly(Map.entry("kubernetes.jobmanager.cpu.amount", "0"));
  }

  @Test
  void aLimitIsAFactorOfTheRequest() {
    assertThat(options(null, resources("cpu=500m,memory=1Gi", "cpu=2,memory=1280Mi")))
        .containsOnly(
            Map.entry("kubernetes.jobmanager.cpu.amount", "0.5"),
            Map.entry("kubernetes.jobmanager.cpu.limit-factor", "4"),
            Map.entry("jobmanager.memory.process.size", "1024m"),
            Map.entry("kubernetes.jobmanager.memory.limit-factor", "1.25"));
  }

  @Test
  void aLimitAloneIsTheRequestToo() {
    assertThat(options(null, resources("", "cpu=2,memory=1Gi")))
        .containsOnly(
            Map.entry("kubernetes.jobmanager.cpu.amount", "2"),
            Map.entry("jobmanager.memory.process.size", "1024m"));
  }

  @Test
  void theNewerStyleWinsItemByItem() {
    assertThat(options(new Resource(1.0, "1g", null), resources("memory=2Gi", "")))
        .containsOnly(
            Map.entry("kubernetes.jobmanager.cpu.amount", "1"),
            Map.entry("jobmanager.memory.process.size", "2048m"));
  }

  @Test
  void everythingElseIsForThePodTemplate() {
    PodResources resources =
        PodResources.of(
            "spec.jobManager",
            new Resource(null, null, "5Gi"),
            resources("cpu=1,example.com/fpga=1", "example.com/fpga=1"));

    assertThat(resources.others())
        .isEqualTo(
            resources(
                "ephemeral-storage=5Gi,example.com/fpga=1",
                "ephemeral-storage=5Gi,example.com/fpga=1"));
  }

  private static Map<String, String> options(
      @Nullable Resource resource, @Nullable ResourceRequirements resources) {
    return ResourceConfiguration.of(
        FlinkDeploymentSpec.EMPTY
            .withFlinkVersion(FlinkVersion.V2_2)
            .withJobManager(new JobManagerSpec(resource, resources, 1, null)));
  }

  private static ResourceRequirements resources(String requests, String limits) {
    ResourceRequirementsBuilder builder = new ResourceRequirementsBuilder();
    quantities(requests).forEach(builder::addToRequests);
    quantities(limits).forEach(builder::addToLimits);
    return builder.build();
  }

  private static Map<String, Quantity> quantities(String pairs) {
    Map<String, Quantity> quantities = new TreeMap<>();
    for (String pair : pairs.isEmpty() ? new String[0] : pairs.split(",", -1)) {
      String[] nameAndAmount = pair.split("=", 2);
      quantities.put(nameAndAmount[0], new Quantity(nameAndAmount[1]));
    }
    return quantities;
  }
}
