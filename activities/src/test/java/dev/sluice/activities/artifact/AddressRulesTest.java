package dev.sluice.activities.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.artifact.AddressRules.Network;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRulesTest {

  private static final AddressRules INTERNET = new AddressRules(List.of());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "169.254.169.254",
        "127.0.0.1",
        "127.8.9.10",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "100.64.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fd00:ec2::254",
        "ff02::1",
        "::ffff:169.254.169.254",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b::808:808",
        "64:ff9b:1::a9fe:a9fe",
        "2001::a9fe:a9fe",
        "2002:a9fe:a9fe::1"
      })
  void anAddressThatIsNotOfTheInternetIsForbidden(String address) throws UnknownHostException {
    assertThat(INTERNET.permit(InetAddress.getByName(address))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "8.8.8.8",
        "172.15.255.255",
        "172.32.0.0",
        "169.253.0.1",
        "192.167.1.1",
        "2606:4700::1111"
      })
  void anAddressOfTheInternetIsPermitted(String address) throws UnknownHostException {
    assertThat(INTERNET.permit(InetAddress.getByName(address))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.200.0.1, true",
    "10.0.0.0/8, 192.168.0.1, false",
    "10.0.0.0/8, ::ffff:10.0.0.1, true",
    "10.0.0.0/8, 64:ff9b::a00:1, false",
    "64:ff9b::/96, 64:ff9b::808:808, true",
    "127.0.0.1, 127.0.0.1, true",
    "127.0.0.1, 127.0.0.2, false",
    "fd00::/8, fd12::1, true",
    "fd00::/8, 10.0.0.1, false"
  })
  void aNetworkIsAllowedAsFarAsItGoes(String network, String address, boolean permitted)
      throws UnknownHostException {
    AddressRules rules = new AddressRules(List.of(Network.parse(network)));

    assertThat(rules.permit(InetAddress.getByName(address))).isEqualTo(permitted);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "", "fd00::/129"})
  void whatIsNoNetworkIsRefused(String text) {
    assertThatThrownBy(() -> Network.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void everythingCanBeAllowed() throws UnknownHostException {
    AddressRules rules = new AddressRules(List.of(Network.parse("0.0.0.0/0")));

    assertThat(rules.permit(InetAddress.getByName("169.254.169.254"))).isTrue();
  }
}
