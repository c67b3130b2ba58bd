package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.local.jvm.Java;
import dev.sluice.local.node.service.PodNetwork;
import dev.sluice.local.parts.CacheDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterConfigTest {

  @TempDir Path folder;

  @Test
  void isInTheUsersStateFolderByDefault() {
    ClusterConfig config = config(Map.of());

    assertThat(config.home()).isEqualTo(folder.resolve(".local/state/sluice"));
    assertThat(config.ports().base()).isEqualTo(17_000);
    assertThat(config.podNetwork()).isEqualTo("127.0.1");
  }

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
  void remembersTheJavaOfControllerAndWorker() throws IOException {
    Path java = Java.current().home();
    Path other = Files.createSymbolicLink(folder.resolve("java"), java);
    Map<String, String> home = Map.of("SLUICE_HOME", folder.resolve("cluster").toString());
    Map<String, String> first = new HashMap<>(home);
    first.put("SLUICE_JAVA", other.toString());
    config(first).save();

    assertThat(config(home).java().home()).isEqualTo(other);
    assertThat(config(Map.of()).java()).isEqualTo(Java.current());
  }

  @Test
  void refusesAJavaThatIsNone() {
    assertThatThrownBy(() -> config(Map.of("SLUICE_JAVA", folder.toString())))
        .hasMessage("SLUICE_JAVA=%s is not a Java home", folder);
  }

  @Test
  void letsAVariableWinOverWhatIsRemembered() throws IOException {
    Map<String, String> environment = new HashMap<>(Map.of("SLUICE_HOME", folder.toString()));
    config(environment).save();
    environment.put("SLUICE_PORT_BASE", "21500");

    assertThat(config(environment).ports().base()).isEqualTo(21_500);
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

  @Test
  void givesEveryPortBaseANetworkThatIsAllowed() {
    assertThat(IntStream.rangeClosed(1024, 65_525).mapToObj(ClusterConfig::podNetworkOf).distinct())
        .hasSize(507)
        .allSatisfy(network -> assertThat(PodNetwork.of(network)).isNotNull());
  }

  @ParameterizedTest
  @ValueSource(strings = {"80", "65530", "-1"})
  void refusesPortsThatCannotBe(String base) {
    assertThatThrownBy(() -> config(Map.of("SLUICE_PORT_BASE", base)))
        .hasMessage(
            "SLUICE_PORT_BASE=%s is not a usable port: it must be between 1024 and 65525", base);
  }

  @ParameterizedTest
  @MethodSource("dev.sluice.local.node.service.PodNetworkTest#refused")
  void refusesThePodNetworksThatTheNodeRefuses(String network) {
    assertThatThrownBy(() -> config(Map.of("SLUICE_POD_NETWORK", network)))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("SLUICE_POD_NETWORK=" + network);
  }

  private ClusterConfig config(Map<String, String> environment) {
    return ClusterConfig.of(
        environment, folder, new CacheDirectory(Path.of("/c")), Path.of("/repository"));
  }

  @Test
  void isTheSameClusterByWhateverLinkItsHomeIsNamed() throws IOException {
    Path there = Files.createDirectories(folder.resolve("there"));
    Files.createSymbolicLink(folder.resolve("link"), there);

    assertThat(config(Map.of("SLUICE_HOME", folder.resolve("link") + "/new")).home())
        .isEqualTo(there.toRealPath().resolve("new"));
    assertThat(config(Map.of("SLUICE_HOME", folder.resolve("link").toString())).home())
        .isEqualTo(there.toRealPath());
  }

  @Test
  void doesNotTakeAFolderThatHoldsSomethingElse() throws IOException {
    Path precious = Files.writeString(folder.resolve("precious"), "x");
    ClusterConfig config = config(Map.of("SLUICE_HOME", folder.toString()));

    assertThatThrownBy(config::save).hasMessageContaining(folder + " holds files and no cluster");
    assertThat(config.isSaved()).isFalse();
    assertThat(precious).exists();
  }

  @Test
  void isForItsOwnerOnlyEvenInAFolderThatWasThere() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));

    config(Map.of("SLUICE_HOME", folder.toString())).save();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
        .isEqualTo("rwx------");
  }
}
