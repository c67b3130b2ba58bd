package dev.sluice.local.node.service;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The loopback addresses of one cluster: pods from {@code 127.A.B.2} on, Services from {@code
 * 127.A.(B+63).2} on, 63 times 253 of each.
 *
 * @param second A
 * @param third B
 */
public record Network(int second, int third) {
  private static final Pattern PREFIX = Pattern.compile("127\\.(\\d{1,3})\\.(\\d{1,3})");
  private static final int BLOCKS = 63;
  private static final int PER_BLOCK = 253;

  public Network {
    if (second < 0 || second > 255 || third < 0 || third + 2 * BLOCKS > 256) {
      throw new IllegalArgumentException(
          "127.%d.%d does not leave room for pods and services; the last number may be 0 to 130"
              .formatted(second, third));
    }
  }

  /**
   * @param prefix such as {@code 127.0.1}
   * @throws IllegalArgumentException when it is not of the form {@code 127.A.B}
   */
  public static Network of(String prefix) {
    Matcher matcher = PREFIX.matcher(prefix);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "The pod network is " + prefix + " but must be of the form 127.A.B, such as 127.0.1");
    }
    return new Network(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
  }

  /** The range of pod addresses. */
  public Addresses pods() {
    return new Addresses("127." + second, third, BLOCKS * PER_BLOCK);
  }

  /** The range of Service addresses. */
  public Addresses services() {
    return new Addresses("127." + second, third + BLOCKS, BLOCKS * PER_BLOCK);
  }

  /** The address of that index in a range that starts at a block. */
  static String address(String start, int block, int index) {
    return "%s.%d.%d".formatted(start, block + index / PER_BLOCK, 2 + index % PER_BLOCK);
  }
}
