package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HighAvailabilityModeTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "kubernetes, KUBERNETES",
    "Kubernetes, KUBERNETES",
    "' kubernetes ', KUBERNETES",
    "org.apache.flink.kubernetes.highavailability.KubernetesHaServicesFactory, KUBERNETES",
    "none, NONE",
    "NONE, NONE",
    "standalone, NONE",
    "zookeeper, OTHER",
    "ZOOKEEPER, OTHER",
    "factory_class, OTHER",
    "org.example.KubernetesHaServicesFactory, OTHER",
    "kubernetes2, OTHER",
  })
  void aValueIsReadAsFlinkReadsIt(String value, HighAvailabilityMode mode) {
    assertThat(HighAvailabilityMode.of(FlinkConfiguration.of(Map.of("high-availability", value))))
        .isEqualTo(mode);
  }

  @Test
  void withoutAKeyThereIsNone() {
    assertThat(HighAvailabilityMode.of(FlinkConfiguration.empty()))
        .isEqualTo(HighAvailabilityMode.NONE);
    assertThat(HighAvailabilityMode.key(FlinkConfiguration.empty())).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "high-availability.type, high-availability",
    "high-availability.type, recovery.mode",
    "recovery.mode, high-availability",
  })
  void ofTwoNamesTheFirstOfFlinksListDecides(String wins, String loses) {
    FlinkConfiguration both = FlinkConfiguration.of(Map.of(wins, "none", loses, "zookeeper"));

    assertThat(HighAvailabilityMode.key(both)).contains(wins);
    assertThat(HighAvailabilityMode.of(both)).isEqualTo(HighAvailabilityMode.NONE);
  }

  @Test
  void aBlankValueIsNone() {
    FlinkConfiguration blank =
        FlinkConfiguration.of(Map.of("high-availability.type", " ", "recovery.mode", "zookeeper"));

    assertThat(HighAvailabilityMode.key(blank)).contains("recovery.mode");
  }
}
