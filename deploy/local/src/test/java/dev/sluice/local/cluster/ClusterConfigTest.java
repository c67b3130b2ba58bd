package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.local.parts.CacheDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterConfigTest {

  @TempDir Path folder;

  @Test
  void followsItsVariables() {
    ClusterConfig config =
        config(
            Map.of(
                "SLUICE_HOME", "/h", "SLUICE_PORT_BASE", "21000", "SLUICE_POD_NETWORK", "127.9.1"));

    assertThat(config.home()).isEqualTo(Path.of("/h"));
    assertThat(config.temporalAddress()).isEqualTo("127.0.0.1:21001");
    assertThat(config.temporalUi()).isEqualTo("http://127.0.0.1:21002");
    assertThat(config.podNetwork()).isEqualTo("127.9.1");
  }

  @Test
  void remembersWhatTheClusterWasStartedWith() throws IOException {
    Map<String, String> home = Map.of("SLUICE_HOME", folder.toString());
    Map<String, String> first = new HashMap<>(home);
    first.put("SLUICE_PORT_BASE", "21000");
    config(first).save();

    assertThat(config(home)).isEqualTo(config(first));
  }

  @Test
  void givesClustersSideBySideDifferentPodNetworks() {
    assertThat(
            IntStream.range(0, 500)
                .map(n -> 20_000 + n * Ports.COUNT)
                .mapToObj(ClusterConfig::podNetworkOf))
        .doesNotHaveDuplicates()
        .doesNotContain("127.0.1")
        .allMatch(network -> network.matches("127\\.\\d+\\.(1|128)"));
  }

  private ClusterConfig config(Map<String, String> environment) {
    return ClusterConfig.of(
        environment, folder, new CacheDirectory(Path.of("/c")), Path.of("/repository"));
  }

  @Test
  void doesNotTakeAFolderThatHoldsSomethingElse() throws IOException {
    Path precious = Files.writeString(folder.resolve("precious"), "x");
    ClusterConfig config = config(Map.of("SLUICE_HOME", folder.toString()));

    assertThatThrownBy(config::save).hasMessageContaining(folder + " holds files and no cluster");
    assertThat(config.isSaved()).isFalse();
    assertThat(precious).exists();
  }
}
