package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.local.cluster.LocalCluster.PartStatus;
import dev.sluice.local.jvm.ClassArchive;
import dev.sluice.local.node.NodeMain;
import dev.sluice.local.os.ProcessIdentity;
import dev.sluice.local.os.Trees;
import dev.sluice.local.parts.Progress;
import dev.sluice.local.parts.Tool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

  @Test
  void servesTheKubernetesApi() {
    assertThat(apply("served").output()).contains("configmap/served");
    assertThat(cluster.kubectl().run("get", "configmap", "served", "-o", "jsonpath={.data.key}"))
        .isEqualTo(new Kubectl.Result(0, "value"));
  }

  @Test
  void runsTheControllersOfKubernetes() {
    cluster.kubectl().run("create", "deployment", "idle", "--image=none", "--replicas=2");

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(cluster.kubectl().run("get", "pods", "-l", "app=idle", "-o", "name"))
                    .extracting(result -> result.output().lines().count())
                    .isEqualTo(2L));
    cluster.kubectl().run("delete", "deployment", "idle");
  }

  @Test
  void knowsTemporalsSearchAttributes() throws IOException, InterruptedException {
    Process temporal =
        new ProcessBuilder(
                Wrappers.script(cluster.config(), Tool.TEMPORAL).toString(),
                "operator",
                "search-attribute",
                "list")
            .redirectErrorStream(true)
            .start();

    String output = new String(temporal.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(temporal.waitFor()).isZero();
    assertThat(output).contains("FlinkNamespace", "FlinkName", "FlinkOperation", "FlinkStep");
  }

  @Test
  void leavesRunningPartsAloneWhenUpIsRepeated() {
    Map<PartName, Long> before = pids();

    cluster.up();

    assertThat(pids()).isEqualTo(before);
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
  void startsTheNodeFromAClassArchiveOnceItIsMade() throws IOException {
    ClassArchive archive =
        Application.built(cluster.config().root(), "deploy/local", NodeMain.class.getName())
            .orElseThrow()
            .classArchive(cluster.config().home());
    cluster.buildClassArchives();
    await().atMost(Duration.ofMinutes(2)).until(archive::isMade);

    cluster.part(PartName.NODE).kill();
    cluster.up();

    long node = cluster.part(PartName.NODE).pid().orElseThrow();
    assertThat(Files.readString(Path.of("/proc/" + node + "/maps")))
        .contains(cluster.config().home() + "/applications/local-")
        .contains(".jsa");
  }

  @Test
  void killsAPartWhoseRecordWasLostBeforeItStartsAnother() throws IOException {
    long lost = cluster.part(PartName.TEMPORAL).pid().orElseThrow();
    Files.delete(cluster.config().home().resolve("run/temporal.properties"));

    cluster.up();

    assertThat(ProcessHandle.of(lost)).isEmpty();
    assertThat(cluster.part(PartName.TEMPORAL).isReady()).isTrue();
  }

  @Test
  void saysWhoHoldsAPortThatItNeeds() throws IOException {
    cluster.part(PartName.TEMPORAL).kill();
    int port = cluster.config().ports().temporalUi();
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(taken.isBound()).isTrue();
      assertThatThrownBy(cluster::up)
          .isInstanceOf(ClusterException.class)
          .hasMessageContaining("temporal needs port " + port)
          .hasMessageContaining("pid " + ProcessHandle.current().pid());
    }
    cluster.up();
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
