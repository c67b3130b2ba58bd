package dev.sluice.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class ProcessSettingsTest {

  @Test
  void withoutAnyValueItListensOnLoopbackOnly() {
    ProcessSettings settings = ProcessSettings.from(new Settings(Map.of()));

    assertThat(settings)
        .isEqualTo(
            new ProcessSettings(
                "127.0.0.1",
                8080,
                Logging.Format.TEXT,
                Level.INFO,
                Duration.ofSeconds(20),
                Duration.ofSeconds(5),
                new ProcessSettings.Defaults(null, Duration.ofSeconds(5))));
  }

  @Test
  void inAPodItListensOnThePodsAddress() {
    ProcessSettings settings = ProcessSettings.from(new Settings(Map.of("POD_IP", "10.0.0.7")));

    assertThat(settings.httpAddress()).isEqualTo("10.0.0.7");
  }

  @Test
  void aWrongPortStopsTheProcess() {
    Settings settings = new Settings(Map.of("SLUICE_HTTP_PORT", "70000"));

    ProcessSettings.from(settings);

    assertThatThrownBy(settings::check)
        .hasMessageContaining("SLUICE_HTTP_PORT=70000: allowed is a whole number from 0 to 65535");
  }
}
