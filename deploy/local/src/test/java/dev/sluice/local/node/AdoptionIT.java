package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.Laptop.Cluster;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("node")
@ExtendWith(Laptop.class)
class AdoptionIT {
  private final Cluster cluster;

  AdoptionIT(Cluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void aNodeThatWasKilledFindsItsPodsRunningWithTheSameProcessAndAddress() throws Exception {
    cluster.create(cluster.bash("stays", "exec sleep 1000"));
    Pod before = cluster.awaitPhase("stays", "Running");
    long pid = cluster.pid("stays");

    cluster.node().killHard();
    cluster.node().start();

    cluster.create(cluster.bash("next", "exec sleep 1000"));
    Pod next = cluster.awaitPhase("next", "Running");
    Pod after = cluster.pod("stays");
    assertThat(after.getStatus().getContainerStatuses().get(0).getRestartCount()).isZero();
    assertThat(after.getStatus().getPodIP()).isEqualTo(before.getStatus().getPodIP());
    assertThat(next.getStatus().getPodIP()).isNotEqualTo(before.getStatus().getPodIP());
    assertThat(cluster.pid("stays")).isEqualTo(pid);
  }

  @Test
  void theExitCodeOfAProcessThatEndedWhileThereWasNoNodeIsNotLost() {
    cluster.create(
        cluster
            .bash("ends", "while [ ! -e go ]; do sleep 0.1; done; exit 7")
            .editSpec()
            .withRestartPolicy("Never")
            .endSpec());
    cluster.awaitPhase("ends", "Running");
    ContainerFolder folder = ContainerFolder.container(cluster, "ends");

    cluster.node().killHard();
    folder.touch("go");
    cluster.awaiting("end").until(() -> !folder.alive());
    restart();

    Pod pod = cluster.awaitPhase("ends", "Failed");
    ContainerStatus status = pod.getStatus().getContainerStatuses().get(0);
    assertThat(status.getState().getTerminated().getExitCode()).isEqualTo(7);
  }

  @Test
  void aPodDeletedWhileThereWasNoNodeIsEndedByTheNextOne() {
    cluster.create(cluster.bash("orphan", "exec sleep 1000"));
    cluster.awaitPhase("orphan", "Running");
    ContainerFolder folder = ContainerFolder.container(cluster, "orphan");

    cluster.node().killHard();
    cluster
        .client()
        .pods()
        .inNamespace(cluster.namespace())
        .withName("orphan")
        .withGracePeriod(0)
        .delete();
    cluster.awaitGone("orphan");
    assertThat(folder.alive()).isTrue();
    restart();

    cluster.awaiting("end of the orphan").until(() -> !folder.alive());
  }

  private void restart() {
    try {
      cluster.node().start();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
