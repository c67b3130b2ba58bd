package dev.sluice.local.cluster;

import dev.sluice.local.node.NodeSettings;
import dev.sluice.local.os.ProcessIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the processes of a cluster by the mark in their environment: whatever was started in it, by
 * whomever, and whatever records were lost.
 */
final class MarkedProcesses {
  /** The folder of a container's attempt; container.sh gives it to all that it starts. */
  private static final String ATTEMPT = "SLUICE_ATTEMPT=";

  private static final Duration EXEC_TIMEOUT = Duration.ofSeconds(2);

  private static final Duration EXEC_INTERVAL = Duration.ofMillis(1);

  private final Path home;

  MarkedProcesses(Path home) {
    this.home = home;
  }

  /** All of them: parts, pods and what those started. */
  List<ProcessIdentity> all() {
    return with(NodeSettings.CLUSTER_MARK, true);
  }

  /**
   * Pods' processes: all but the parts, and what those started that unset its environment. That one
   * is no longer found when those have ended.
   */
  List<ProcessIdentity> pods() {
    return family(with(NodeSettings.PART_MARK, false).stream().map(ProcessIdentity::pid))
        .flatMap(pid -> ProcessIdentity.of(pid).stream())
        .toList();
  }

  private static Stream<Long> family(Stream<Long> pids) {
    return pids.flatMap(pid -> ProcessHandle.of(pid).stream())
        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
        .map(ProcessHandle::pid)
        .distinct();
  }

  /** Parts that are none of the known ones nor started by one, and pods of no folder any more. */
  List<ProcessIdentity> strays(List<Long> known) {
    List<Long> tended = family(known.stream()).toList();
    return all().stream()
        .filter(
            process -> {
              List<String> environment = environment(process.pid());
              return has(environment, NodeSettings.PART_MARK)
                  ? !tended.contains(process.pid())
                  : environment.stream()
                      .filter(it -> it.startsWith(ATTEMPT))
                      .anyMatch(it -> Files.notExists(Path.of(it.substring(ATTEMPT.length()))));
            })
        .toList();
  }

  /** Whether one of them was started with a text in its command line. */
  boolean anyRuns(String text) {
    return all().stream()
        .map(process -> read("/proc/" + process.pid() + "/cmdline"))
        .anyMatch(commandLine -> commandLine.contains(text));
  }

  /** Ends processes and what they start; kills after {@code grace}, and throws when that fails. */
  static void end(Supplier<List<ProcessIdentity>> processes, Duration grace) {
    // One that unset its environment is no longer found when its parent has ended: remember it.
    Set<ProcessIdentity> found = new LinkedHashSet<>(processes.get());
    found.forEach(ProcessIdentity::terminate);
    if (Poll.until(grace, () -> left(found, processes)).isPresent()) {
      Poll.until(
              grace,
              () -> {
                found.forEach(ProcessIdentity::kill);
                return left(found, processes);
              })
          .ifPresent(
              left -> {
                throw new ClusterException(left);
              });
    }
  }

  /** Looks again once all have ended: what one of them has started in the end is there by then. */
  private static Optional<String> left(
      Set<ProcessIdentity> found, Supplier<List<ProcessIdentity>> processes) {
    found.addAll(processes.get());
    return alive(found)
        .or(
            () -> {
              found.addAll(processes.get());
              return alive(found);
            });
  }

  private static Optional<String> alive(Set<ProcessIdentity> found) {
    String pids =
        found.stream()
            .filter(ProcessIdentity::isAlive)
            .map(it -> "" + it.pid())
            .collect(Collectors.joining(" "));
    return pids.isEmpty() ? Optional.empty() : Optional.of("processes do not end: " + pids);
  }

  /** The cluster's processes that have a variable, or that do not. */
  private List<ProcessIdentity> with(String variable, boolean present) {
    long self = ProcessHandle.current().pid();
    String mark = NodeSettings.CLUSTER_MARK + "=" + home;
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

  /**
   * As it was at the start of the process; empty for those of other users. A process that becomes
   * another program has none for a moment, which may be long where others are busy.
   */
  private static List<String> environment(long pid) {
    String environment =
        Poll.last(
            EXEC_TIMEOUT,
            EXEC_INTERVAL,
            () -> read("/proc/" + pid + "/environ"),
            it -> ProcessIdentity.isWholeEnvironment(pid, it.length()));
    return Arrays.asList(environment.split("\0", -1));
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
