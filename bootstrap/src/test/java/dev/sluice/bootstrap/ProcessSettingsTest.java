package dev.sluice.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testing.Authority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
                new ProcessSettings.Defaults(null, Duration.ofSeconds(5)),
                new ProcessSettings.FlinkTls(null, Duration.ofSeconds(5))));
  }

  @Test
  void inAPodItListensOnThePodsAddress() {
    ProcessSettings settings = ProcessSettings.from(new Settings(Map.of("POD_IP", "10.0.0.7")));

    assertThat(settings.httpAddress()).isEqualTo("10.0.0.7");
  }

  @Test
  void certificatesForFlinkAreReadAgainWhenOneOfThemChanges(@TempDir Path folder) throws Exception {
    new Authority().issue(folder, 2, "RSA");
    try (WatchedFile<Optional<X509TrustManager>> trusted =
        flinkTls(folder).open((sockets, trust) -> trust)) {
      X509Certificate before = trusted.get().orElseThrow().getAcceptedIssuers()[0];

      Files.writeString(folder.resolve("ca.crt"), new Authority().pem());
      trusted.look();

      assertThat(trusted.get().orElseThrow().getAcceptedIssuers()[0]).isNotEqualTo(before);
    }
  }

  @Test
  void aMissingCertificateForFlinkStopsTheProcess(@TempDir Path folder) throws Exception {
    new Authority().issue(folder, 2, "RSA");
    Files.delete(folder.resolve("tls.key"));

    assertThatThrownBy(() -> flinkTls(folder).open((sockets, trust) -> trust))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("SLUICE_FLINK_TLS_FOLDER=" + folder.resolve("ca.crt"))
        .hasMessageContaining("cannot be read")
        .hasMessageContaining("tls.key");
  }

  private static ProcessSettings.FlinkTls flinkTls(Path folder) {
    return ProcessSettings.from(new Settings(Map.of("SLUICE_FLINK_TLS_FOLDER", folder.toString())))
        .flinkTls();
  }

  @Test
  void aWrongPortStopsTheProcess() {
    Settings settings = new Settings(Map.of("SLUICE_HTTP_PORT", "70000"));

    ProcessSettings.from(settings);

    assertThatThrownBy(settings::check)
        .hasMessageContaining("SLUICE_HTTP_PORT=70000: allowed is a whole number from 0 to 65535");
  }
}
