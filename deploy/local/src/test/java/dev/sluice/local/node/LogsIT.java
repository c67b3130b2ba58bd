package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.Laptop.Cluster;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("node")
@ExtendWith(Laptop.class)
class LogsIT {
  private final Cluster cluster;

  LogsIT(Cluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void kubectlLogsShowsBothOutputsOfTheProcess() throws Exception {
    cluster.create(cluster.bash("says", "echo out; echo err >&2; exec sleep 100"));
    cluster.awaitPhase("says", "Running");
    cluster
        .awaiting("output")
        .until(() -> ContainerFolder.container(cluster, "says").log().contains("err"));

    assertThat(cluster.kubectl("logs", "-n", cluster.namespace(), "says")).isEqualTo("out\nerr\n");
  }

  @Test
  void tailShowsTheLastLinesOnly() throws Exception {
    cluster.create(
        cluster.bash("many", "seq 1 1000").editSpec().withRestartPolicy("Never").endSpec());
    cluster.awaitPhase("many", "Succeeded");

    assertThat(cluster.kubectl("logs", "-n", cluster.namespace(), "many", "--tail=3"))
        .isEqualTo("998\n999\n1000\n");
  }

  @Test
  void followingALogShowsNewLinesAndEndsWithTheContainer() throws Exception {
    cluster.create(
        cluster
            .bash("grows", "echo one; while [ ! -e go ]; do sleep 0.1; done; echo two")
            .editSpec()
            .withRestartPolicy("Never")
            .endSpec());
    cluster.awaitPhase("grows", "Running");
    Process follower =
        cluster.plane().kubectl("logs", "-f", "-n", cluster.namespace(), "grows").start();
    BufferedReader reader = follower.inputReader(StandardCharsets.UTF_8);
    assertThat(reader.readLine()).isEqualTo("one");

    ContainerFolder.container(cluster, "grows").touch("go");

    assertThat(reader.readLine()).isEqualTo("two");
    assertThat(reader.readLine()).isNull();
    assertThat(follower.waitFor()).isZero();
  }

  @Test
  void previousShowsTheLogOfTheContainerBefore() throws Exception {
    cluster.create(cluster.bash("before", "echo attempt; exec sleep 100"));
    cluster.awaitPhase("before", "Running");
    cluster
        .awaiting("log")
        .until(() -> ContainerFolder.container(cluster, "before").log().contains("att"));
    cluster.kill("before");
    cluster.awaitStatus(
        "before", s -> s.getRestartCount() == 1 && s.getState().getRunning() != null);

    assertThat(cluster.kubectl("logs", "--previous", "-n", cluster.namespace(), "before"))
        .startsWith("attempt");
  }

  @Test
  void execIsRefusedWithAReason() throws Exception {
    cluster.create(cluster.bash("closed", "exec sleep 100"));
    cluster.awaitPhase("closed", "Running");

    Process exec =
        cluster.plane().kubectl("exec", "-n", cluster.namespace(), "closed", "--", "true").start();

    assertThat(new String(exec.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("The local node has no exec");
    assertThat(exec.waitFor()).isNotZero();
  }
}
