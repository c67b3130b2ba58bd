package dev.sluice.local.node.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Its two lists are those of the launcher and of the node, too. */
public class PodNetworkTest {

  public static Stream<String> refused() {
    return Stream.of(
        "10.0.1",
        "127.0",
        "127.0.0",
        "127.0.1.1",
        "127.0.194",
        "127.0.200",
        "127.0.255",
        "127.256.1",
        "127.0.-1",
        "loopback");
  }

  @ParameterizedTest
  @MethodSource("refused")
  void aNetworkThatIsNotLoopbackOrLeavesNoRoomIsRefused(String network) {
    assertThatThrownBy(() -> PodNetwork.of(network))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("SLUICE_POD_NETWORK=" + network + " is not a network for pods");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.1", "127.1.0", "127.254.128", "127.255.193"})
  void everyAddressOfANetworkIsALoopbackAddress(String network) {
    Addresses pods = new Addresses(PodNetwork.of(network));
    Set<String> all = new HashSet<>();
    for (int i = 0; i < 63 * 253; i++) {
      all.add(pods.take());
    }

    assertThat(all)
        .hasSize(63 * 253)
        .allMatch(
            it ->
                it.matches("127(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){2}\\.([2-9]|\\d\\d|[12]\\d\\d)"));
  }
}
