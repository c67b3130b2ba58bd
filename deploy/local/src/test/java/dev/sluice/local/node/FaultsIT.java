package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.Laptop.Cluster;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("node")
@ExtendWith(Laptop.class)
class FaultsIT {
  private final Cluster cluster;

  FaultsIT(Cluster cluster) {
    this.cluster = cluster;
  }

  @AfterEach
  void noFaults() throws Exception {
    Files.deleteIfExists(cluster.node().refusedImages());
  }

  @Test
  void aRefusedImageCannotBePulledUntilTheFaultIsOver() throws Exception {
    Files.writeString(cluster.node().refusedImages(), "bash\n");
    cluster.create(cluster.bash("refused", "exec sleep 100"));

    ContainerStatus status =
        cluster.awaitStatus(
            "refused",
            s ->
                s.getState().getWaiting() != null
                    && "ImagePullBackOff".equals(s.getState().getWaiting().getReason()));
    assertThat(status.getState().getWaiting().getMessage()).contains("listed in refused-images");
    Files.deleteIfExists(cluster.node().refusedImages());

    cluster.awaitPhase("refused", "Running");
  }
}
