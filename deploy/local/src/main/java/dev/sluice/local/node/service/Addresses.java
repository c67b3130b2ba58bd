package dev.sluice.local.node.service;

import java.util.HashSet;
import java.util.Set;

/**
 * Gives each pod a loopback address. One that was given back comes around again only after all
 * others: a peer that still uses it reaches nothing.
 */
public final class Addresses {
  private static final int PER_BLOCK = 253;
  private static final int SIZE = PodNetwork.BLOCKS * PER_BLOCK;

  private final PodNetwork network;
  private final Set<String> taken = new HashSet<>();
  private int next;

  public Addresses(PodNetwork network) {
    this.network = network;
  }

  /** An address that no pod ever has: connections to it are refused. */
  public String unused() {
    return address(0, 1);
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

  public synchronized void giveBack(String address) {
    taken.remove(address);
  }

  private String address(int index) {
    return address(index / PER_BLOCK, 2 + index % PER_BLOCK);
  }

  private String address(int block, int last) {
    return "127.%d.%d.%d".formatted(network.second(), network.third() + block, last);
  }
}
