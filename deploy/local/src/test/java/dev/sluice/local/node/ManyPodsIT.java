package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.Laptop.Cluster;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("timing")
@ExtendWith(Laptop.class)
class ManyPodsIT {
  private static final int PODS = 60;

  /** Of the node with the class path of its tests, after those of other classes: about 134 MiB. */
  private static final long MOST_KIB = 150 * 1024;

  private static final long MOST_THREADS = 60;

  private final Cluster cluster;

  ManyPodsIT(Cluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void sixtyPodsRunEachOnItsOwnAddressWithLittleMemoryAndFewThreads() throws Exception {
    for (int i = 0; i < PODS; i++) {
      cluster.create(cluster.bash("many-" + i, "exec sleep 1000"));
    }
    cluster.awaiting("all running").until(() -> count(this::runs) == PODS);

    List<String> addresses = pods().stream().map(pod -> pod.getStatus().getPodIP()).toList();
    assertThat(addresses).doesNotHaveDuplicates();
    assertThat(status("Threads:")).as("threads").isLessThan(MOST_THREADS);
    assertThat(status("VmRSS:")).as("RSS in KiB").isLessThan(MOST_KIB);
    System.out.println(
        "node with 60 pods: VmRSS %d KiB, %d threads"
            .formatted(status("VmRSS:"), status("Threads:")));

    cluster.client().pods().inNamespace(cluster.namespace()).delete();
    cluster.awaiting("all gone").until(() -> pods().isEmpty());
  }

  private boolean runs(Pod pod) {
    return pod.getStatus().getPhase().equals("Running");
  }

  private long count(Predicate<Pod> condition) {
    return pods().stream().filter(condition).count();
  }

  private List<Pod> pods() {
    return cluster.client().pods().inNamespace(cluster.namespace()).list().getItems();
  }

  private long status(String key) throws IOException {
    Path file = Path.of("/proc/" + cluster.node().process().pid() + "/status");
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith(key))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }
}
