package dev.sluice.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bootstrap.ConfigurationException;
import dev.sluice.bootstrap.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ControllerSettingsTest {

  @Test
  void nothing_has_to_be_configured() {
    ControllerSettings settings = ControllerSettings.from(new Settings(Map.of()));

    assertThat(settings.namespaces()).isEmpty();
    assertThat(settings.taskQueue()).isNull();
    assertThat(settings.poll().shortest()).isEqualTo(Duration.ofSeconds(1));
    assertThat(settings.poll().requestsPerSecond()).isEqualTo(150);
    assertThat(settings.lease().enabled()).isTrue();
    assertThat(settings.applications()).isFalse();
  }

  /** W6 (FLINK-40550): Apache's operator allows -1 and crashes for it. */
  @ParameterizedTest
  @ValueSource(strings = {"-1", "0", "201", "many"})
  void a_number_of_threads_that_makes_no_sense_is_refused_by_its_name(String threads) {
    Settings settings = new Settings(Map.of("SLUICE_RECONCILE_THREADS", threads));
    ControllerSettings.from(settings);

    assertThatThrownBy(settings::check)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("SLUICE_RECONCILE_THREADS")
        .hasMessageContaining("a whole number from 1 to 200");
  }

  @Test
  void the_lease_is_held_in_the_pod_s_namespace_under_its_name() {
    ControllerSettings settings =
        ControllerSettings.from(
            new Settings(Map.of("POD_NAMESPACE", "sluice-system", "POD_NAME", "controller-abc")));

    assertThat(settings.lease().namespace()).isEqualTo("sluice-system");
    assertThat(settings.lease().identity()).isEqualTo("controller-abc");
  }

  @Test
  void namespaces_are_named_or_selected_by_their_labels() {
    Settings settings =
        new Settings(
            Map.of(
                "SLUICE_WATCH_NAMESPACES", "a", "SLUICE_WATCH_NAMESPACE_SELECTOR", "watch=true"));
    ControllerSettings.from(settings);

    assertThatThrownBy(settings::check)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("a selector without SLUICE_WATCH_NAMESPACES");
  }

  @Test
  void a_lease_that_cannot_be_renewed_in_time_is_refused() {
    Settings settings =
        new Settings(Map.of("SLUICE_LEASE_DURATION", "5s", "SLUICE_LEASE_RENEW_DEADLINE", "5s"));
    ControllerSettings.from(settings);

    assertThatThrownBy(settings::check)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("SLUICE_LEASE_RENEW_DEADLINE");
  }
}
