package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.os.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MarkedProcessesTest {

  @TempDir Path home;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void end() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void tellsPartsFromPods() throws IOException {
    long part = start(home, "etcd");
    long pod = start(home, "");

    MarkedProcesses marked = new MarkedProcesses(home);

    Awaitility.await().untilAsserted(() -> assertThat(marked.all()).hasSize(2));
    assertThat(marked.parts()).extracting(ProcessIdentity::pid).containsExactly(part);
    assertThat(marked.pods()).extracting(ProcessIdentity::pid).containsExactly(pod);
  }

  @Test
  void tellsWhatTheProcessesOfAPodHoldByItsAddress() throws IOException {
    start(home, Map.of("POD_IP", "127.0.1.9", "HOSTNAME", "counter-1"));
    start(home, Map.of("POD_IP", "127.0.1.10", "HOSTNAME", "counter-1"));
    start(home, Map.of("HOSTNAME", "laptop"));
    MarkedProcesses marked = new MarkedProcesses(home);
    Awaitility.await().untilAsserted(() -> assertThat(marked.all()).hasSize(3));

    assertThat(marked.podMemory()).containsOnlyKeys("127.0.1.9", "127.0.1.10");
  }

  @Test
  void leavesOtherClustersAlone() throws IOException {
    start(home.resolve("another"), "etcd");

    assertThat(new MarkedProcesses(home).all()).isEmpty();
  }

  @Test
  void endsThem() throws IOException {
    start(home, "");
    MarkedProcesses marked = new MarkedProcesses(home);
    Awaitility.await().untilAsserted(() -> assertThat(marked.all()).hasSize(1));

    MarkedProcesses.end(marked.all(), Duration.ofSeconds(10));

    assertThat(marked.all()).isEmpty();
  }

  private long start(Path cluster, String part) throws IOException {
    return start(cluster, part.isEmpty() ? Map.of() : Map.of(PartSpecs.PART_MARK, part));
  }

  private long start(Path cluster, Map<String, String> environment) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("sleep", "600");
    builder.environment().put(PartSpecs.CLUSTER_MARK, cluster.toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    started.add(process);
    return process.pid();
  }
}
