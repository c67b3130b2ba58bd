package dev.sluice.local.node.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.Laptop;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the node still writes about a pod must not reach a later one of the same name. */
@Tag("node")
@ExtendWith(Laptop.class)
class PodApiIT {
  private final Laptop.Cluster cluster;
  private final PodApi api;
  private Pod before;
  private Pod after;

  PodApiIT(Laptop.Cluster cluster) {
    this.cluster = cluster;
    this.api = new PodApi(cluster.client(), "laptop");
  }

  @BeforeEach
  void makeAPodAgain() {
    before = create();
    delete();
    after = create();
    assertThat(after.getMetadata().getUid()).isNotEqualTo(before.getMetadata().getUid());
  }

  @Test
  void theStatusOfAnEarlierPodIsNotWrittenToALaterOne() {
    api.writeStatus(before, new PodStatusBuilder().withPhase("Failed").build());

    assertThat(now().getStatus().getPhase()).isEqualTo("Pending");
  }

  @Test
  void aLaterPodIsNotRemovedInPlaceOfAnEarlierOne() {
    api.remove(before);

    assertThat(now().getMetadata().getUid()).isEqualTo(after.getMetadata().getUid());
  }

  private Pod now() {
    return cluster.client().resource(after).get();
  }

  /** One that nobody binds. */
  private Pod create() {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withName("again")
            .withNamespace(cluster.namespace())
            .endMetadata()
            .withNewSpec()
            .addNewSchedulingGate("dev.sluice/never")
            .addNewContainer()
            .withName("main")
            .withImage("bash")
            .endContainer()
            .endSpec()
            .build();
    return cluster.client().resource(pod).create();
  }

  @AfterEach
  void delete() {
    KubernetesClient client = cluster.client();
    client.pods().inNamespace(cluster.namespace()).withName("again").withGracePeriod(0).delete();
  }
}
