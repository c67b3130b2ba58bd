package dev.sluice.local.cluster;

import dev.sluice.local.os.ProcessIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the processes of a cluster by the mark in their environment: whatever was started in it, by
 * whomever, and whatever records were lost.
 */
final class MarkedProcesses {
  /** The node gives it to every pod. */
  private static final String POD_IP = "POD_IP=";

  private final Path home;

  /** Of the cluster in that home. */
  MarkedProcesses(Path home) {
    this.home = home;
  }

  /** All of them: parts, pods and what those started. */
  List<ProcessIdentity> all() {
    return with(PartSpecs.CLUSTER_MARK, true);
  }

  /** Those that were started as a part. */
  List<ProcessIdentity> parts() {
    return with(PartSpecs.PART_MARK, true);
  }

  List<ProcessIdentity> pods() {
    return with(PartSpecs.PART_MARK, false);
  }

  /** Memory that pods' processes hold, in MB, by the address of their pod. */
  Map<String, Long> podMemory() {
    Map<String, Long> memory = new HashMap<>();
    for (ProcessIdentity process : pods()) {
      environment(process.pid()).stream()
          .filter(entry -> entry.startsWith(POD_IP))
          .forEach(
              entry ->
                  memory.merge(
                      entry.substring(POD_IP.length()),
                      ProcessIdentity.residentMegabytes(process.pid()),
                      Long::sum));
    }
    return memory;
  }

  /** Whether one of them was started with a text in its command line. */
  boolean anyRuns(String text) {
    return all().stream()
        .map(process -> read("/proc/" + process.pid() + "/cmdline"))
        .anyMatch(commandLine -> commandLine.contains(text));
  }

  /** Ends processes: asks, and kills what is left after {@code grace}. */
  static void end(List<ProcessIdentity> processes, Duration grace) {
    processes.forEach(ProcessIdentity::terminate);
    if (Poll.until(grace, () -> left(processes)).isPresent()) {
      processes.forEach(ProcessIdentity::kill);
      Poll.until(grace, () -> left(processes));
    }
  }

  private static Optional<String> left(List<ProcessIdentity> processes) {
    long alive = processes.stream().filter(ProcessIdentity::isAlive).count();
    return alive == 0 ? Optional.empty() : Optional.of(alive + " processes are left");
  }

  /** The cluster's processes that have a variable, or that do not. */
  private List<ProcessIdentity> with(String variable, boolean present) {
    long self = ProcessHandle.current().pid();
    String mark = PartSpecs.CLUSTER_MARK + "=" + home;
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(pid -> pid != self)
        .filter(
            pid -> {
              List<String> environment = environment(pid);
              return environment.contains(mark) && has(environment, variable) == present;
            })
        .flatMap(pid -> ProcessIdentity.of(pid).stream())
        .toList();
  }

  private static boolean has(List<String> environment, String variable) {
    return environment.stream().anyMatch(entry -> entry.startsWith(variable + "="));
  }

  /** As it was at the start of the process; empty for those of other users. */
  private static List<String> environment(long pid) {
    return Arrays.asList(read("/proc/" + pid + "/environ").split("\0", -1));
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
