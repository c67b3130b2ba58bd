package dev.sluice.local.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Memory that a process holds, as the kernel counts it. */
final class ResidentMemory {

  private ResidentMemory() {}

  /** VmRSS of proc(5); 0 when there is no such process. */
  static long megabytes(long pid) {
    try {
      return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}
