package dev.sluice.local.node.service;

import java.util.HashMap;
import java.util.Map;

/**
 * Gives addresses out of a range and takes them back. An address that was given back comes around
 * again only after all others: a peer that still uses it reaches nothing.
 */
public final class Addresses {
  private final String start;
  private final int block;
  private final int size;
  private final Map<String, String> owners = new HashMap<>();
  private int next;

  Addresses(String start, int block, int size) {
    this.start = start;
    this.block = block;
    this.size = size;
  }

  /** Notes that an address has an owner already. */
  public synchronized void occupy(String address, String owner) {
    owners.put(address, owner);
    for (int i = next; i < size; i++) {
      if (Network.address(start, block, i).equals(address)) {
        next = (i + 1) % size;
        return;
      }
    }
  }

  /**
   * An address that is free.
   *
   * @throws IllegalStateException when there is none left
   */
  public synchronized String take(String owner) {
    for (int i = 0; i < size; i++) {
      String address = Network.address(start, block, (next + i) % size);
      if (!owners.containsKey(address)) {
        next = (next + i + 1) % size;
        owners.put(address, owner);
        return address;
      }
    }
    throw new IllegalStateException("All " + size + " addresses of " + start + " are taken");
  }

  /** Takes an address back. */
  public synchronized void giveBack(String address) {
    owners.remove(address);
  }
}
