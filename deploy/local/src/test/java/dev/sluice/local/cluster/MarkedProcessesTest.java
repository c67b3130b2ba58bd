package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.NodeSettings;
import dev.sluice.local.os.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
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
    MarkedProcesses.end(() -> new MarkedProcesses(home).all(), Duration.ofSeconds(10));
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void tellsPartsFromPods() throws IOException {
    long part = start(home, "etcd");
    long pod = start(home, "");

    MarkedProcesses marked = new MarkedProcesses(home);

    Awaitility.await().untilAsserted(() -> assertThat(marked.all()).hasSize(2));
    assertThat(marked.strays(List.of())).extracting(ProcessIdentity::pid).containsExactly(part);
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
  void findsAProcessWhileItBecomesAnotherProgram() throws IOException {
    Path again = home.resolve("again");
    Files.writeString(again, "exec sh " + again);
    long restless = start(home, Map.of(), "sh", again.toString());
    MarkedProcesses marked = new MarkedProcesses(home);

    for (int look = 0; look < 100; look++) {
      assertThat(marked.all()).extracting(ProcessIdentity::pid).containsExactly(restless);
    }
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

    MarkedProcesses.end(marked::all, Duration.ofSeconds(10));

    assertThat(marked.all()).isEmpty();
  }

  @Test
  void endsTheProcessesTooThatTheyStartWhenTheyAreAskedTo() throws IOException {
    Path up = home.resolve("up");
    start(
        home,
        Map.of(),
        "sh",
        "-c",
        "trap 'setsid sleep 600 & exit' TERM; touch " + up + "; while :; do sleep 0.1; done");
    MarkedProcesses marked = new MarkedProcesses(home);
    Awaitility.await().until(() -> Files.exists(up));

    MarkedProcesses.end(marked::all, Duration.ofSeconds(1));

    assertThat(marked.all()).isEmpty();
  }

  @Test
  void takesAPodsProcessThatUnsetItsEnvironmentForThePods() throws IOException {
    Path pid = home.resolve("pid");
    start(home, Map.of(), "sh", "-c", "env -i sleep 600 & echo $! >" + pid + "; wait");
    Awaitility.await().until(() -> Files.exists(pid) && Files.size(pid) > 0);
    long child = Long.parseLong(Files.readString(pid).strip());

    MarkedProcesses marked = new MarkedProcesses(home);

    assertThat(marked.pods()).extracting(ProcessIdentity::pid).contains(child);
    MarkedProcesses.end(marked::pods, Duration.ofSeconds(10));
    assertThat(ProcessIdentity.of(child)).isEmpty();
  }

  @Test
  void killsOneThatUnsetItsEnvironmentAndIgnoresTheRequestToEndAfterItsParentHasEnded()
      throws IOException {
    Path pid = home.resolve("pid");
    String deaf = "trap \"\" TERM; echo $$ >" + pid + "; while :; do sleep 0.1; done";
    start(home, Map.of(), "sh", "-c", "env -i sh -c '" + deaf + "' & wait");
    Awaitility.await().until(() -> Files.exists(pid) && Files.size(pid) > 0);
    long child = Long.parseLong(Files.readString(pid).strip());

    MarkedProcesses.end(new MarkedProcesses(home)::pods, Duration.ofSeconds(1));

    assertThat(ProcessIdentity.of(child)).isEmpty();
  }

  @Test
  void holdsForStraysThePartsThatNobodyKnowsAndNotWhatAKnownOneStarted() throws IOException {
    Path pid = home.resolve("pid");
    long known =
        start(
            home,
            Map.of(NodeSettings.PART_MARK, "node"),
            "sh",
            "-c",
            "sleep 600 & echo $! >" + pid + "; wait");
    long unknown = start(home, "etcd");
    Awaitility.await().until(() -> Files.exists(pid) && Files.size(pid) > 0);

    MarkedProcesses marked = new MarkedProcesses(home);
    Awaitility.await()
        .untilAsserted(
            () -> assertThat(marked.all()).extracting(ProcessIdentity::pid).contains(unknown));

    assertThat(marked.strays(List.of(known)))
        .extracting(ProcessIdentity::pid)
        .containsExactly(unknown);
  }

  @Test
  void holdsForStraysThePodsWhoseFolderIsGone() throws IOException {
    start(home, Map.of("SLUICE_ATTEMPT", home.toString()));
    long stray = start(home, Map.of("SLUICE_ATTEMPT", home.resolve("gone").toString()));
    MarkedProcesses marked = new MarkedProcesses(home);
    Awaitility.await().untilAsserted(() -> assertThat(marked.all()).hasSize(2));

    assertThat(marked.strays(List.of())).extracting(ProcessIdentity::pid).containsExactly(stray);
  }

  private long start(Path cluster, String part) throws IOException {
    return start(cluster, part.isEmpty() ? Map.of() : Map.of(NodeSettings.PART_MARK, part));
  }

  private long start(Path cluster, Map<String, String> environment) throws IOException {
    return start(cluster, environment, "sleep", "600");
  }

  private long start(Path cluster, Map<String, String> environment, String... command)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put(NodeSettings.CLUSTER_MARK, cluster.toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    started.add(process);
    return process.pid();
  }
}
