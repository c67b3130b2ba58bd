package dev.sluice.local.node.service;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * A Service's port: where it listens and what stands behind it.
 *
 * @param service {@code namespace/name}
 * @param listen the Service's address and port
 * @param endpoints ready pods; empty means that connections are refused
 */
public record Forward(String service, InetSocketAddress listen, List<InetSocketAddress> endpoints) {
  public Forward {
    endpoints = List.copyOf(endpoints);
  }
}
