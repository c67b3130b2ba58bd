package dev.sluice.local.node;

import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** What this machine has. */
final class Capacity {
  private Capacity() {}

  /** Processors, memory in KiB, and far more pods than a kubelet's 110. */
  static Map<String, Quantity> ofThisMachine() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
      String kibibytes =
          lines
              .filter(line -> line.startsWith("MemTotal:"))
              .map(line -> line.replaceAll("\\D", ""))
              .findFirst()
              .orElse("0");
      return Map.of(
          "cpu", new Quantity(Integer.toString(Runtime.getRuntime().availableProcessors())),
          "memory", new Quantity(kibibytes, "Ki"),
          "pods", new Quantity("1000"));
    }
  }
}
