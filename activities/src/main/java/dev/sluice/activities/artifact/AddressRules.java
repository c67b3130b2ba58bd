package dev.sluice.activities.artifact;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import okhttp3.Dns;

/**
 * Which addresses artifacts may come from: those of the internet, and what is allowed next to them.
 * Otherwise whoever may create a resource could have the worker read what only the inside of the
 * network can, such as the cloud's metadata server at 169.254.169.254.
 *
 * @param allowed networks that are allowed although they are not of the internet
 */
public record AddressRules(List<Network> allowed) {

  /**
   * Special-purpose registries of IANA: this host, private, carrier, loopback, link-local, ... and
   * those whose addresses stand for an IPv4 address.
   */
  private static final List<Network> NOT_INTERNET =
      Stream.of(
              "0.0.0.0/8",
              "10.0.0.0/8",
              "100.64.0.0/10",
              "127.0.0.0/8",
              "169.254.0.0/16",
              "172.16.0.0/12",
              "192.0.0.0/24",
              "192.168.0.0/16",
              "198.18.0.0/15",
              "224.0.0.0/4",
              "240.0.0.0/4",
              "::/96",
              "64:ff9b::/96",
              "64:ff9b:1::/48",
              "100::/64",
              "2001::/32",
              "2002::/16",
              "fc00::/7",
              "fe80::/10",
              "fec0::/10",
              "ff00::/8")
          .map(Network::parse)
          .toList();

  public AddressRules {
    allowed = List.copyOf(allowed);
  }

  public boolean permit(InetAddress address) {
    return contains(allowed, address) || !contains(NOT_INTERNET, address);
  }

  /** Resolves hosts, but for those with an address that is not permitted. */
  Dns guarding(Dns dns) {
    return host -> {
      List<InetAddress> addresses = dns.lookup(host);
      for (InetAddress address : addresses) {
        require(address);
      }
      return addresses;
    };
  }

  /** A host that is an address is never resolved. */
  void requireIfLiteral(String host) throws UnknownHostException {
    if (Network.LITERAL.matcher(host).matches()) {
      require(InetAddress.getByName(host));
    }
  }

  private void require(InetAddress address) throws Forbidden {
    if (!permit(address)) {
      throw new Forbidden(address.getHostAddress());
    }
  }

  /** The host is at an address that artifacts may not come from. */
  static final class Forbidden extends UnknownHostException {
    private static final long serialVersionUID = 1L;

    Forbidden(String address) {
      super(address);
    }
  }

  private static boolean contains(List<Network> networks, InetAddress address) {
    return networks.stream().anyMatch(network -> network.contains(address));
  }

  /**
   * Addresses with the same first bits.
   *
   * @param first its first address
   * @param bits how many bits its addresses have in common
   */
  public record Network(InetAddress first, int bits) {

    /** No host name, which would be looked up. */
    private static final Pattern LITERAL = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    /**
     * Reads {@code 10.0.0.0/8}, {@code fd00::/8}, or one address.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static Network parse(String text) {
      String[] parts = text.split("/", 2);
      if (!LITERAL.matcher(parts[0]).matches()) {
        throw new IllegalArgumentException(text);
      }
      try {
        InetAddress first = InetAddress.getByName(parts[0]);
        int most = first.getAddress().length * 8;
        int bits = parts.length == 1 ? most : Integer.parseInt(parts[1]);
        if (bits < 0 || bits > most) {
          throw new IllegalArgumentException(text);
        }
        return new Network(first, bits);
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException(text, e);
      }
    }

    boolean contains(InetAddress address) {
      byte[] one = first.getAddress();
      byte[] other = address.getAddress();
      BigInteger different = new BigInteger(1, one).xor(new BigInteger(1, other));
      return one.length == other.length
          && different.shiftRight(one.length * 8 - bits).signum() == 0;
    }
  }
}
