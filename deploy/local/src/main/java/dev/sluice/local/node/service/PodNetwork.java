package dev.sluice.local.node.service;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The loopback addresses of one cluster's pods: {@code 127.A.B.2} and on, over {@value #BLOCKS}
 * values of the third number.
 *
 * @param second A
 * @param third B
 */
public record PodNetwork(int second, int third) {
  static final int BLOCKS = 63;

  private static final int LAST = 256 - BLOCKS;
  private static final Pattern PREFIX = Pattern.compile("127\\.(\\d{1,3})\\.(\\d{1,3})");

  /**
   * @param prefix such as {@code 127.0.1}
   * @throws IllegalArgumentException with what is allowed
   */
  public static PodNetwork of(String prefix) {
    Matcher matcher = PREFIX.matcher(prefix);
    int second = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 256;
    int third = matcher.matches() ? Integer.parseInt(matcher.group(2)) : 256;
    // 127.0.0 is this machine's own
    if (second > 255 || third > LAST || second + third == 0) {
      throw new IllegalArgumentException(
          "SLUICE_POD_NETWORK=%s is not a network for pods: it must be 127.A.B, from 127.0.1 on, with A up to 255 and B up to %d"
              .formatted(prefix, LAST));
    }
    return new PodNetwork(second, third);
  }
}
