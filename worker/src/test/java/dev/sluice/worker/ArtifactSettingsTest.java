package dev.sluice.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.artifact.ArtifactOptions;
import dev.sluice.activities.artifact.ArtifactOptions.Limits;
import dev.sluice.bootstrap.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArtifactSettingsTest {

  @Test
  void withoutAnyValueOnlyTheInternetByTlsIsAllowed() throws UnknownHostException {
    ArtifactOptions options = ArtifactSettings.from(new Settings(Map.of()));

    assertThat(options.limits()).isEqualTo(new Limits(512L << 20, Duration.ofMinutes(5), 5, 4));
    assertThat(options.sources().http()).isFalse();
    assertThat(options.sources().folders()).isEmpty();
    assertThat(options.sources().headers()).isNull();
    assertThat(options.sources().addresses().permit(InetAddress.getByName("10.0.0.1"))).isFalse();
    assertThat(options.folder()).hasFileName("sluice-artifacts");
  }

  @Test
  void everythingCanBeSet(@TempDir Path folder) throws IOException {
    Path headers = Files.createFile(folder.resolve("headers"));
    Settings settings =
        new Settings(
            Map.of(
                "SLUICE_ARTIFACT_MAX_MIB", "2048",
                "SLUICE_ARTIFACT_TIMEOUT", "30s",
                "SLUICE_ARTIFACT_REDIRECTS", "0",
                "SLUICE_ARTIFACT_FETCHES", "8",
                "SLUICE_ARTIFACT_HTTP", "true",
                "SLUICE_ARTIFACT_NETWORKS", "10.0.0.0/8, fd00::/8",
                "SLUICE_ARTIFACT_FOLDERS", "/jars,/more",
                "SLUICE_ARTIFACT_HEADERS", headers.toString(),
                "SLUICE_ARTIFACT_TMP", "/scratch"));

    ArtifactOptions options = ArtifactSettings.from(settings);
    settings.check();

    assertThat(options.limits()).isEqualTo(new Limits(2048L << 20, Duration.ofSeconds(30), 0, 8));
    assertThat(options.sources().http()).isTrue();
    assertThat(options.sources().addresses().permit(InetAddress.getByName("10.0.0.1"))).isTrue();
    assertThat(options.sources().folders()).containsExactly(Path.of("/jars"), Path.of("/more"));
    assertThat(options.sources().headers()).isEqualTo(headers);
    assertThat(options.folder()).isEqualTo(Path.of("/scratch"));
  }

  @ParameterizedTest
  @CsvSource({
    "SLUICE_ARTIFACT_MAX_MIB, 0",
    "SLUICE_ARTIFACT_TIMEOUT, 2h",
    "SLUICE_ARTIFACT_REDIRECTS, 21",
    "SLUICE_ARTIFACT_FETCHES, 0",
    "SLUICE_ARTIFACT_HTTP, perhaps",
    "SLUICE_ARTIFACT_NETWORKS, internal.example.com",
    "SLUICE_ARTIFACT_NETWORKS, 10.0.0.0/40",
    "SLUICE_ARTIFACT_FOLDERS, jars",
    "SLUICE_ARTIFACT_HEADERS, /no/such/file",
    "SLUICE_ARTIFACT_TMP, scratch"
  })
  void aWrongValueStopsTheWorkerAndIsNamed(String key, String value) {
    Settings settings = new Settings(Map.of(key, value));
    ArtifactSettings.from(settings);

    assertThatThrownBy(settings::check).hasMessageContaining(key + "=" + value);
  }
}
