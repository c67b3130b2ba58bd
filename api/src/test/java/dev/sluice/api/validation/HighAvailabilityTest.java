package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HighAvailabilityTest {
  private static final String STORAGE = "high-availability.storageDir";
  private static final String FACTORY =
      "org.apache.flink.kubernetes.highavailability.KubernetesHaServicesFactory";

  private static FlinkDeploymentSpec configured(String key, String value) {
    return Specs.configured(Map.of(key, value, STORAGE, "s3://bucket/ha"));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "high-availability.type, kubernetes",
    "high-availability.type, KUBERNETES",
    "high-availability.type, " + FACTORY,
    "high-availability.type, none",
    "high-availability.type, NONE",
    "high-availability, kubernetes",
    "high-availability, " + FACTORY,
    "high-availability, NONE",
    "recovery.mode, standalone",
    "recovery.mode, kubernetes",
  })
  void kubernetesAndNoneAreSupportedUnderEachOfTheirNames(String key, String value) {
    assertThat(Specs.messages(configured(key, value))).isEmpty();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "high-availability.type, zookeeper",
    "high-availability.type, ZOOKEEPER",
    "high-availability.type, org.example.MyHaServicesFactory",
    "high-availability.type, FACTORY_CLASS",
    "high-availability, zookeeper",
    "high-availability, org.example.MyHaServicesFactory",
    "recovery.mode, zookeeper",
  })
  void everythingElseIsNotSupportedAndTheKeyIsNamed(String key, String value) {
    assertThat(Specs.violations(configured(key, value)))
        .containsExactly(
            new Violation(
                "spec.flinkConfiguration." + key,
                "must be kubernetes or none, but is '"
                    + value
                    + "': other high availability is not supported yet. Set it to kubernetes, and"
                    + " high-availability.storageDir to durable storage",
                Reasons.NOT_SUPPORTED));
  }

  @Test
  void theNewestNameOfTheKeyDecides() {
    FlinkDeploymentSpec spec =
        Specs.configured(
            Map.of("high-availability.type", "none", "high-availability", "zookeeper"));

    assertThat(Specs.messages(spec)).isEmpty();
  }

  @Test
  void nestedConfigurationIsReadAsFlatKeys() {
    FlinkDeploymentSpec spec =
        Specs.VALID.withFlinkConfiguration(
            Specs.yaml("{high-availability: {type: zookeeper, storageDir: s3://b/ha}}"));

    assertThat(Specs.paths(spec)).containsExactly("spec.flinkConfiguration.high-availability.type");
  }

  @Test
  void kubernetesNeedsAStorageDirectory() {
    assertThat(Specs.messages(Specs.configured("high-availability.type", "kubernetes")))
        .containsExactly(
            "spec.flinkConfiguration.high-availability.storageDir: must be given for high"
                + " availability. Set it to durable storage");
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource({
    "V1_15, high-availability, " + FACTORY,
    "V1_16, high-availability, kubernetes",
    "V1_17, high-availability.type, kubernetes",
    "V1_20, high-availability, kubernetes",
    "V2_0, high-availability.type, kubernetes",
  })
  void aVersionTakesTheNamesThatItKnows(FlinkVersion version, String key, String value) {
    assertThat(Specs.messages(configured(key, value).withFlinkVersion(version))).isEmpty();
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource({
    "V1_15, high-availability.type, kubernetes, is ignored by Flink before 1.17",
    "V1_16, high-availability.type, kubernetes, is ignored by Flink before 1.17",
    "V1_15, high-availability, kubernetes, must be " + FACTORY,
  })
  void whatAVersionWouldIgnoreIsRefused(
      FlinkVersion version, String key, String value, String message) {
    assertThat(Specs.messages(configured(key, value).withFlinkVersion(version)))
        .singleElement()
        .asString()
        .startsWith("spec.flinkConfiguration." + key + ": " + message);
  }
}
