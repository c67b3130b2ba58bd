package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HighAvailabilityModeTest {
  private static final String FACTORY =
      "org.apache.flink.kubernetes.highavailability.KubernetesHaServicesFactory";

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "' Kubernetes ', KUBERNETES",
    FACTORY + ", KUBERNETES",
    "NONE, NONE",
    "standalone, NONE",
    "ZOOKEEPER, OTHER",
    "factory_class, OTHER",
    "org.example.KubernetesHaServicesFactory, OTHER",
    "kubernetes2, OTHER",
    ", NONE",
  })
  void aValueIsReadAsFlinkReadsIt(String value, HighAvailabilityMode mode) {
    FlinkConfiguration configuration =
        value == null
            ? FlinkConfiguration.empty()
            : FlinkConfiguration.of(Map.of("high-availability", value));

    assertThat(HighAvailabilityMode.of(configuration)).isEqualTo(mode);
  }

  @ParameterizedTest(name = "{0} over {1}")
  @CsvSource({
    "high-availability.type, none, high-availability, high-availability.type",
    "high-availability.type, none, recovery.mode, high-availability.type",
    "recovery.mode, none, high-availability, recovery.mode",
    "high-availability.type, ' ', recovery.mode, recovery.mode",
  })
  void theFirstKeyOfFlinksListWithAValueDecides(
      String first, String value, String second, String decides) {
    assertThat(
            HighAvailabilityMode.key(
                FlinkConfiguration.of(Map.of(first, value, second, "zookeeper"))))
        .contains(decides);
  }
}
