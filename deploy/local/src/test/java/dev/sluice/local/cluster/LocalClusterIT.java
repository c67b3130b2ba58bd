package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.cluster.LocalCluster.PartStatus;
import dev.sluice.local.os.ProcessIdentity;
import dev.sluice.local.os.Trees;
import dev.sluice.local.parts.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A real cluster in a temporary folder. Each test leaves it up. */
@Tag("node")
class LocalClusterIT {

  private static final int PORT_BASE = 21_500;
  private static final String CONFIG_MAP =
      """
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: %s, namespace: default}
      data: {key: value}
      """;

  private static final String PROCESS = "{.status.containerStatuses[0].containerID}";

  @TempDir static Path folder;
  private static LocalCluster cluster;

  @BeforeAll
  static void up() {
    cluster =
        LocalCluster.of(ClusterConfig.at(folder.resolve("cluster"), PORT_BASE), Progress.silent());
    cluster.up();
  }

  @AfterAll
  static void down() {
    cluster.reset();
  }

  @Test
  void isReadyWhenUpReturns() {
    assertThat(cluster.status()).isNotEmpty().allMatch(PartStatus::isReady);
  }

  @Test
  void listensOnLoopbackAddressesOnly() throws IOException {
    List<Long> pids =
        new MarkedProcesses(cluster.config().home())
            .all().stream().map(ProcessIdentity::pid).toList();

    List<String> addresses = ListeningSockets.of(pids);

    // 127.x.y.z, ::1, and 127.x.y.z of a socket that speaks IPv6, too
    assertThat(addresses)
        .hasSizeGreaterThan(8)
        .allMatch(
            it -> it.matches("(([0-9A-F]{6}7F)|(0{24}01000000)|(0{16}FFFF0000[0-9A-F]{6}7F)):.*"));
  }

  @ParameterizedTest
  @EnumSource(PartName.class)
  void healsAPartThatWasKilled(PartName name) {
    apply("before-" + name);
    Map<PartName, Long> before = pids();

    cluster.part(name).kill();
    cluster.up();

    assertThat(cluster.status()).allMatch(PartStatus::isReady);
    assertThat(cluster.kubectl().run("get", "configmap", "before-" + name).ok()).isTrue();
    Map<PartName, Long> after = pids();
    assertThat(after.remove(name)).isNotEqualTo(before.remove(name));
    assertThat(after).isEqualTo(before);
  }

  @Test
  void keepsItsStateAndLeavesNoProcessWhenItGoesDown() {
    apply("kept");

    cluster.down();

    assertThat(new MarkedProcesses(cluster.config().home()).all()).isEmpty();
    assertThat(cluster.status()).allMatch(part -> part.pid() == 0);
    cluster.up();
    assertThat(cluster.kubectl().run("get", "configmap", "kept").ok()).isTrue();
  }

  @Test
  void endsItsProcessesEvenWhenItsHomeWasDeleted() throws IOException {
    ClusterConfig config = ClusterConfig.at(folder.resolve("deleted"), PORT_BASE + 2 * Ports.COUNT);
    LocalCluster.of(config, Progress.silent()).up();
    Trees.delete(config.home());

    LocalCluster.of(config, Progress.silent()).down();

    assertThat(new MarkedProcesses(config.home()).all()).isEmpty();
  }

  @Test
  void forgetsEverythingWhenItIsReset() {
    LocalCluster other =
        LocalCluster.of(
            ClusterConfig.at(folder.resolve("other"), PORT_BASE + Ports.COUNT), Progress.silent());
    other.up();

    other.reset();

    assertThat(folder.resolve("other")).doesNotExist();
    assertThat(new MarkedProcesses(folder.resolve("other")).all()).isEmpty();
    assertThat(cluster.status()).allMatch(PartStatus::isReady);
  }

  @Test
  void aPodOutlivesItsNodeAndEndsWhenItIsDeleted() {
    run(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: outlives, namespace: default}
        spec:
          terminationGracePeriodSeconds: 2
          containers:
          - name: main
            image: flink:2.2
            command: [/bin/sh, -c, "trap '' TERM; while :; do sleep 1; done"]
        """,
        "apply",
        "-f",
        "-");
    run("", "wait", "pod/outlives", "--for=condition=Ready", "--timeout=120s");
    String process = run("", "get", "pod", "outlives", "-o", "jsonpath=" + PROCESS);

    cluster.part(PartName.NODE).kill();
    cluster.up();

    assertThat(run("", "get", "pod", "outlives", "-o", "jsonpath=" + PROCESS)).isEqualTo(process);
    run("", "delete", "pod", "outlives", "--timeout=120s");
    assertThat(ProcessHandle.of(Long.parseLong(process.replace("process://", "").strip())))
        .isEmpty();
  }

  private static String run(String input, String... arguments) {
    Kubectl.Result result = cluster.kubectl().run(input, List.of(arguments));
    assertThat(result.ok()).as(result.output()).isTrue();
    return result.output();
  }

  private static Map<PartName, Long> pids() {
    return cluster.status().stream()
        .collect(Collectors.toMap(PartStatus::name, PartStatus::pid, Long::sum, TreeMap::new));
  }

  private static Kubectl.Result apply(String name) {
    return cluster
        .kubectl()
        .run(CONFIG_MAP.formatted(name), List.of("apply", "--server-side", "-f", "-"));
  }
}
