package dev.sluice.local.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Names one process for good: a pid alone may by now belong to another one.
 *
 * @param pid the kernel's number
 * @param startTicks when it started, in clock ticks since boot (field 22 of {@code /proc/PID/stat},
 *     see proc(5))
 * @param bootId which boot that was
 */
record ProcessIdentity(long pid, long startTicks, String bootId) {

  private static final Path PROC = Path.of("/proc");

  /** The process that has this pid now; empty when there is none or only its zombie. */
  static Optional<ProcessIdentity> of(long pid) {
    try {
      String stat = Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
      return startTicks(stat).map(ticks -> new ProcessIdentity(pid, ticks, currentBoot()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Whether it still runs. A zombie does not: it only waits for its parent. */
  boolean isAlive() {
    return of(pid).filter(this::equals).isPresent();
  }

  /** Asks it to end; harmless when it has. */
  void terminate() {
    if (isAlive()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
    }
  }

  /** Ends it without asking (SIGKILL); harmless when it has ended. */
  void kill() {
    if (isAlive()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  /** Memory that a process holds (VmRSS of proc(5)); 0 when there is no such process. */
  static long residentMegabytes(long pid) {
    try {
      return Files.readAllLines(PROC.resolve(pid + "/status")).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }

  /** The name in the second field may hold blanks and brackets: count from its last bracket. */
  static Optional<Long> startTicks(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    boolean dead = fields[0].equals("Z") || fields[0].equals("X");
    return dead ? Optional.empty() : Optional.of(Long.parseLong(fields[19]));
  }

  private static String currentBoot() {
    try {
      return Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
