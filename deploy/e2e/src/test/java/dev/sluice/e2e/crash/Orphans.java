package dev.sluice.e2e.crash;

import static java.util.stream.Collectors.toSet;

import dev.sluice.e2e.cluster.TestCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Processes of pods that Kubernetes does not know any more. */
final class Orphans {

  private static final String POD_IP = "POD_IP=";

  private final TestCluster cluster;

  Orphans(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** Their process ids, with the address of the pod; none if all is well. */
  List<String> found() {
    Set<String> known =
        cluster.kubernetes().pods().inAnyNamespace().list().getItems().stream()
            .map(it -> it.getStatus().getPodIP())
            .filter(it -> it != null)
            .collect(toSet());
    return ProcessHandle.allProcesses()
        .flatMap(
            it ->
                address(it)
                    .filter(ip -> !known.contains(ip))
                    .map(ip -> it.pid() + " of " + ip)
                    .stream())
        .toList();
  }

  private Optional<String> address(ProcessHandle process) {
    try {
      List<String> environment =
          Stream.of(
                  Files.readString(
                          Path.of("/proc", Long.toString(process.pid()), "environ"),
                          StandardCharsets.ISO_8859_1)
                      .split("\0", -1))
              .toList();
      return environment.contains("SLUICE_CLUSTER=" + cluster.home())
          ? environment.stream()
              .filter(it -> it.startsWith(POD_IP))
              .map(it -> it.substring(POD_IP.length()))
              .findFirst()
          : Optional.empty();
    } catch (IOException ended) {
      return Optional.empty();
    }
  }
}
