package dev.sluice.e2e.cluster;

import dev.sluice.local.cluster.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.stream.IntStream;

/** Ports that nobody uses, so that the tests run beside a cluster of the same person. */
final class FreePorts {

  private static final int FIRST = 28_000;
  private static final int CLUSTERS = 90;

  private FreePorts() {}

  /**
   * The first of so many ports as a cluster takes. Each process looks elsewhere first: two runs
   * that start together must not find the same ports free.
   *
   * @param cluster which of this process's clusters, from 0: they may start together, too
   */
  static int base(int cluster) {
    int first = (int) ((ProcessHandle.current().pid() + cluster * CLUSTERS / 2) % CLUSTERS);
    return IntStream.range(first, first + CLUSTERS)
        .map(slot -> slot % CLUSTERS)
        .map(slot -> FIRST + slot * Ports.COUNT)
        .filter(base -> IntStream.range(base, base + Ports.COUNT).allMatch(FreePorts::isFree))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no free ports from " + FIRST));
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
