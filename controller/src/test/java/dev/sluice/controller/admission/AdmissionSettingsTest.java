package dev.sluice.controller.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bootstrap.ConfigurationException;
import dev.sluice.bootstrap.Settings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdmissionSettingsTest {

  private static final Map<String, String> FILES =
      Map.of("SLUICE_WEBHOOK_CERTIFICATE", "/tls.crt", "SLUICE_WEBHOOK_KEY", "/tls.key");

  private static Settings settings(String key, String value) {
    Map<String, String> all = new HashMap<>(FILES);
    all.put(key, value);
    return new Settings(all);
  }

  @Test
  void without_a_certificate_there_is_no_webhook() {
    Settings settings = new Settings(Map.of());

    assertThat(AdmissionSettings.from(settings)).isEmpty();
    settings.check();
  }

  @Test
  void with_one_the_pod_and_its_namespace_say_the_rest() {
    Settings settings =
        new Settings(
            Map.of(
                "SLUICE_WEBHOOK_CERTIFICATE", "/tls.crt",
                "SLUICE_WEBHOOK_KEY", "/tls.key",
                "POD_IP", "10.0.0.7",
                "POD_NAMESPACE", "sluice-system"));

    AdmissionSettings webhook = AdmissionSettings.from(settings).orElseThrow();

    assertThat(webhook.address()).isEqualTo("10.0.0.7");
    assertThat(webhook.port()).isEqualTo(9443);
    assertThat(webhook.reload()).isEqualTo(Duration.ofSeconds(5));
    assertThat(webhook.ownUsers())
        .containsExactly(
            "system:serviceaccount:sluice-system:sluice-controller",
            "system:serviceaccount:sluice-system:sluice-worker");
  }

  @Test
  void other_accounts_may_be_its_own() {
    assertThat(
            AdmissionSettings.from(settings("SLUICE_WEBHOOK_OWN_USERS", "a, b"))
                .orElseThrow()
                .ownUsers())
        .containsExactly("a", "b");
  }

  @ParameterizedTest
  @CsvSource({
    "SLUICE_WEBHOOK_KEY,''",
    "SLUICE_WEBHOOK_CERTIFICATE,''",
    "SLUICE_WEBHOOK_PORT,99999",
    "SLUICE_WEBHOOK_RELOAD,never"
  })
  void what_makes_no_sense_is_refused_by_its_name(String key, String value) {
    Settings settings = settings(key, value);
    var unused = AdmissionSettings.from(settings);

    assertThatThrownBy(settings::check)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(key);
  }
}
