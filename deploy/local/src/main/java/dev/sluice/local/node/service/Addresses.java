package dev.sluice.local.node.service;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The loopback addresses of one cluster's pods, from {@code 127.A.B.2} on, 63 times 253. An address
 * that was given back comes around again only after all others: a peer that still uses it reaches
 * nothing.
 */
public final class Addresses {
  private static final Pattern PREFIX = Pattern.compile("127\\.(\\d{1,3})\\.(\\d{1,3})");
  private static final int PER_BLOCK = 253;
  private static final int SIZE = 63 * PER_BLOCK;

  private final int second;
  private final int third;
  private final Set<String> taken = new HashSet<>();
  private int next;

  /**
   * @param prefix such as {@code 127.0.1}
   * @throws IllegalArgumentException when it is not of the form {@code 127.A.B} or too near the end
   */
  public Addresses(String prefix) {
    Matcher matcher = PREFIX.matcher(prefix);
    second = matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
    third = matcher.matches() ? Integer.parseInt(matcher.group(2)) : -1;
    if (second < 0 || second > 255 || third < 0 || third > 130) {
      throw new IllegalArgumentException(
          "The pod network is %s but must be of the form 127.A.B, such as 127.0.1, with B up to 130"
              .formatted(prefix));
    }
  }

  /** An address that no pod ever has: connections to it are refused. */
  public String unused() {
    return "127.%d.%d.1".formatted(second, third);
  }

  /** Notes that an address is in use already. */
  public synchronized void occupy(String address) {
    taken.add(address);
    for (int i = next; i < SIZE; i++) {
      if (address(i).equals(address)) {
        next = (i + 1) % SIZE;
        return;
      }
    }
  }

  /**
   * An address that is free.
   *
   * @throws IllegalStateException when there is none left
   */
  public synchronized String take() {
    for (int i = 0; i < SIZE; i++) {
      String address = address((next + i) % SIZE);
      if (taken.add(address)) {
        next = (next + i + 1) % SIZE;
        return address;
      }
    }
    throw new IllegalStateException("All " + SIZE + " addresses of pods are taken");
  }

  /** Takes an address back. */
  public synchronized void giveBack(String address) {
    taken.remove(address);
  }

  private String address(int index) {
    return "127.%d.%d.%d".formatted(second, third + index / PER_BLOCK, 2 + index % PER_BLOCK);
  }
}
