package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.Laptop.Cluster;
import dev.sluice.local.node.fault.PodPattern;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Laptop.class)
class FaultsIT {
  private final Cluster cluster;

  FaultsIT(Cluster cluster) {
    this.cluster = cluster;
  }

  @AfterEach
  void noFaults() throws Exception {
    cluster.node().faults().clear();
  }

  @Test
  void aHeldPodIsPendingAndRunsOnceItIsLetGo() throws Exception {
    cluster
        .node()
        .faults()
        .holdPending(PodPattern.labelled(cluster.namespace(), Map.of("held", "yes")));
    cluster.create(
        cluster
            .bash("held", "exec sleep 100")
            .editMetadata()
            .addToLabels("held", "yes")
            .endMetadata());

    Pod held =
        cluster.awaitPod(
            "held",
            pod ->
                pod.getStatus().getConditions().stream()
                    .anyMatch(c -> "Unschedulable".equals(c.getReason())));
    assertThat(held.getStatus().getPhase()).isEqualTo("Pending");
    assertThat(held.getSpec().getNodeName()).isNull();
    cluster.node().faults().clear();

    cluster.awaitPhase("held", "Running");
  }

  @Test
  void aRefusedImageCannotBePulledUntilTheFaultIsOver() throws Exception {
    cluster.node().faults().refuseImage("bas*");
    cluster.create(cluster.bash("refused", "exec sleep 100"));

    ContainerStatus status =
        cluster.awaitStatus(
            "refused",
            s ->
                s.getState().getWaiting() != null
                    && "ImagePullBackOff".equals(s.getState().getWaiting().getReason()));
    assertThat(status.getState().getWaiting().getMessage()).contains("fault on purpose");
    cluster.node().faults().clear();

    cluster.awaitPhase("refused", "Running");
  }

  @Test
  void aPodThatIsRefusedToStartSaysSoUntilTheFaultIsOver() throws Exception {
    cluster.node().faults().refuseToStart(PodPattern.named(cluster.namespace(), "not-*"));
    cluster.create(cluster.bash("not-now", "exec sleep 100"));

    cluster.awaitStatus(
        "not-now",
        s ->
            s.getState().getWaiting() != null
                && "RunContainerError".equals(s.getState().getWaiting().getReason()));
    cluster.node().faults().clear();

    cluster.awaitPhase("not-now", "Running");
  }
}
