package dev.sluice.local.node.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AddressesTest {

  @Test
  void noPodHasTheAddressOfNobody() {
    Addresses pods = new Addresses(PodNetwork.of("127.0.1"));

    assertThat(pods.unused()).isEqualTo("127.0.1.1");
    assertThat(pods.take()).isEqualTo("127.0.1.2");
  }

  @Test
  void aFullBlockOfAddressesIsFollowedByTheNext() {
    Addresses pods = new Addresses(PodNetwork.of("127.0.1"));
    for (int i = 0; i < 252; i++) {
      pods.take();
    }

    assertThat(pods.take()).isEqualTo("127.0.1.254");
    assertThat(pods.take()).isEqualTo("127.0.2.2");
  }

  @Test
  void anAddressGivenBackComesAroundAgainOnlyAfterAllOthers() {
    Addresses pods = new Addresses(PodNetwork.of("127.0.1"));
    String first = pods.take();
    pods.giveBack(first);

    assertThat(pods.take()).isNotEqualTo(first);
    Set<String> rest = new HashSet<>();
    for (int i = 0; i < 63 * 253 - 1; i++) {
      rest.add(pods.take());
    }
    assertThat(rest).hasSize(63 * 253 - 1).contains(first);
    assertThatThrownBy(() -> pods.take()).hasMessageContaining("taken");
  }

  @Test
  void anAddressInUseIsNotGivenAgain() {
    Addresses pods = new Addresses(PodNetwork.of("127.0.1"));
    pods.occupy("127.0.1.2");
    pods.occupy("127.0.1.4");

    assertThat(pods.take()).isEqualTo("127.0.1.5");
  }
}
