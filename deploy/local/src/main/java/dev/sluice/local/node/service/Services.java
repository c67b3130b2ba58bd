package dev.sluice.local.node.service;

import dev.sluice.local.node.fault.Faults;
import dev.sluice.local.node.proxy.Proxy;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The Services that the node knows, turned into addresses, names and forwarded ports. */
public final class Services {
  private final ServiceAddresses addresses;
  private final HostsFile hosts;
  private final Proxy proxy;
  private final Map<String, Service> known = new ConcurrentHashMap<>();

  public Services(ServiceAddresses addresses, HostsFile hosts, Proxy proxy) {
    this.addresses = addresses;
    this.hosts = hosts;
    this.proxy = proxy;
  }

  /** A Service is there, or has changed. */
  public void seen(Service service) {
    known.put(ServiceTable.key(service), service);
  }

  /** A Service is there no more. */
  public void gone(Service service) {
    known.remove(ServiceTable.key(service));
  }

  /**
   * Brings names and ports to what the Services and these pods mean.
   *
   * @return done when it is so
   */
  public synchronized CompletableFuture<Void> apply(Collection<Pod> pods, Faults faults)
      throws IOException {
    addresses.keep(
        known.values().stream()
            .filter(ServiceTable::hasAddress)
            .map(ServiceTable::key)
            .collect(Collectors.toSet()));
    ServiceTable table = ServiceTable.of(known.values(), pods, addresses::of);
    hosts.write(table.hosts());
    return proxy.apply(table.forwards(), faults.services());
  }
}
