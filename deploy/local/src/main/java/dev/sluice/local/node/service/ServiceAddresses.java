package dev.sluice.local.node.service;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.local.node.volume.PlacedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Which Service has which address; kept in a file, so that a restarted node gives the same. */
public final class ServiceAddresses {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Addresses range;
  private final Path file;
  private final Map<String, String> byService = new TreeMap<>();

  public ServiceAddresses(Addresses range, Path file) throws IOException {
    this.range = range;
    this.file = file;
    if (Files.exists(file)) {
      byService.putAll(
          JSON.readValue(Files.readAllBytes(file), new TypeReference<Map<String, String>>() {}));
      byService.forEach((service, address) -> range.occupy(address, service));
    }
  }

  /** Gives each of these Services an address and takes those of all others back. */
  public synchronized void keep(Set<String> services) throws IOException {
    Map<String, String> before = Map.copyOf(byService);
    byService
        .entrySet()
        .removeIf(
            entry -> {
              boolean ended = !services.contains(entry.getKey());
              if (ended) {
                range.giveBack(entry.getValue());
              }
              return ended;
            });
    services.forEach(service -> byService.computeIfAbsent(service, range::take));
    if (!before.equals(byService)) {
      PlacedFile.write(file, JSON.writeValueAsBytes(byService), 0600);
    }
  }

  /** The address of a Service that is kept. */
  public synchronized String of(String service) {
    String address = byService.get(service);
    if (address == null) {
      throw new IllegalArgumentException("Service " + service + " has no address");
    }
    return address;
  }
}
