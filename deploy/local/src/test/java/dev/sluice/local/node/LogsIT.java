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
}
