package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.Laptop.Cluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("node")
@ExtendWith(Laptop.class)
class OwnersIT {
  private final Cluster cluster;

  OwnersIT(Cluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void aDeletedDeploymentTakesItsPodsWithItAndThoseTheyMadeLast() {
    Deployment deployment = cluster.client().resource(deployment()).create();
    cluster.awaiting("two pods").until(() -> running() == 2);
    assertThat(
            cluster
                .client()
                .apps()
                .deployments()
                .inNamespace(cluster.namespace())
                .withName("jobs")
                .get())
        .isNotNull();
    cluster
        .awaiting("available")
        .until(
            () ->
                cluster.kubectl(
                    "get",
                    "-n",
                    cluster.namespace(),
                    "deployment/jobs",
                    "-o",
                    "jsonpath={.status.availableReplicas}"),
            "2"::equals);

    cluster.client().resource(deployment).delete();
    // as Flink's JobManager does while it is dying
    cluster.create(
        cluster
            .bash("late", "exec sleep 1000")
            .editMetadata()
            .addNewOwnerReference()
            .withApiVersion("apps/v1")
            .withKind("Deployment")
            .withName("jobs")
            .withUid(deployment.getMetadata().getUid())
            .withController(true)
            .endOwnerReference()
            .endMetadata());

    cluster.awaiting("no pod left").until(() -> pods().isEmpty());
  }

  private List<Pod> pods() {
    return cluster.client().pods().inNamespace(cluster.namespace()).list().getItems();
  }

  private long running() {
    return pods().stream().filter(p -> p.getStatus().getPhase().equals("Running")).count();
  }

  private Deployment deployment() {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName("jobs")
        .withNamespace(cluster.namespace())
        .endMetadata()
        .withNewSpec()
        .withReplicas(2)
        .withNewSelector()
        .addToMatchLabels("app", "jobs")
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .addToLabels("app", "jobs")
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("main")
        .withImage("bash")
        .withArgs("-c", "exec sleep 1000")
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }
}
