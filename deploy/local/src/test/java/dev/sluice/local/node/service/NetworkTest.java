package dev.sluice.local.node.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkTest {

  @Test
  void podsAndServicesHaveRangesThatDoNotMeet() {
    Network network = Network.of("127.0.1");

    assertThat(network.pods().take("p")).isEqualTo("127.0.1.2");
    assertThat(network.services().take("s")).isEqualTo("127.0.64.2");
  }

  @Test
  void aFullBlockOfAddressesIsFollowedByTheNext() {
    Addresses pods = Network.of("127.0.1").pods();
    for (int i = 0; i < 252; i++) {
      pods.take("p" + i);
    }

    assertThat(pods.take("last of the block")).isEqualTo("127.0.1.254");
    assertThat(pods.take("first of the next")).isEqualTo("127.0.2.2");
  }

  @Test
  void anAddressGivenBackComesAroundAgainOnlyAfterAllOthers() {
    Addresses pods = Network.of("127.0.1").pods();
    String first = pods.take("a");
    pods.giveBack(first);

    assertThat(pods.take("b")).isNotEqualTo(first);
    Set<String> rest = new HashSet<>();
    for (int i = 0; i < 63 * 253 - 1; i++) {
      rest.add(pods.take("p" + i));
    }
    assertThat(rest).hasSize(63 * 253 - 1).contains(first);
    assertThatThrownBy(() -> pods.take("one too many")).hasMessageContaining("taken");
  }

  @Test
  void anAddressInUseIsNotGivenAgain() {
    Addresses pods = Network.of("127.0.1").pods();
    pods.occupy("127.0.1.2", "a");
    pods.occupy("127.0.1.4", "b");

    assertThat(pods.take("c")).isEqualTo("127.0.1.5");
  }

  @Test
  void aServiceKeepsItsAddressWhenTheNodeStartsAgain(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("services.json");
    ServiceAddresses before = new ServiceAddresses(Network.of("127.0.1").services(), file);
    before.keep(Set.of("ns/a"));
    before.keep(Set.of("ns/a", "ns/b"));

    ServiceAddresses after = new ServiceAddresses(Network.of("127.0.1").services(), file);
    after.keep(Set.of("ns/b", "ns/c"));

    assertThat(after.of("ns/b")).isEqualTo(before.of("ns/b"));
    assertThat(after.of("ns/c")).isNotEqualTo(before.of("ns/a")).isNotEqualTo(before.of("ns/b"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.1", "127.0", "127.0.1.1", "127.0.200", "127.300.1", ""})
  void aPrefixThatLeavesNoRoomIsRefused(String prefix) {
    assertThatThrownBy(() -> Network.of(prefix)).isInstanceOf(IllegalArgumentException.class);
  }
}
