package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.local.node.pod.BackOff;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class NodeSettingsTest {
  private static final Map<String, String> LEAST =
      Map.of("KUBECONFIG", "/k", "SLUICE_NODE_HOME", "/h", "SLUICE_IMAGES", "/i");

  private static NodeSettings with(String key, String value) {
    Map<String, String> env = new HashMap<>(LEAST);
    env.put(key, value);
    return NodeSettings.of(env);
  }

  @Test
  void whatIsNotSetIsAsAKubeletHasIt() {
    NodeSettings settings = NodeSettings.of(LEAST);

    assertThat(settings.name()).isEqualTo("laptop");
    assertThat(settings.kubeletPort()).isEqualTo(10250);
    assertThat(settings.backOff()).isEqualTo(BackOff.KUBELET);
  }

  @Test
  void podsInheritTheClustersMarkButNothingThatLetsThemActAsTheNode() {
    assertThat(with("SLUICE_CLUSTER", "/c").inherited()).containsOnlyKeys("SLUICE_CLUSTER");
    assertThat(with("PATH", "/bin").inherited()).doesNotContainKey("KUBECONFIG");
  }

  @ParameterizedTest
  @CsvSource({
    "SLUICE_NODE_PORT, x", "SLUICE_NODE_PORT, 70000", "SLUICE_NODE_PORT, -1",
    "SLUICE_POD_NETWORK, 10.0.1", "SLUICE_BACKOFF_MAX_MS, soon", "KUBECONFIG, ''",
  })
  void aWrongValueIsNamedWithItsKey(String key, String value) {
    assertThatThrownBy(() -> with(key, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key);
  }

  @ParameterizedTest
  @MethodSource("dev.sluice.local.node.service.PodNetworkTest#refused")
  void aPodNetworkThatTheLauncherRefusesIsRefused(String network) {
    assertThatThrownBy(() -> with("SLUICE_POD_NETWORK", network))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
