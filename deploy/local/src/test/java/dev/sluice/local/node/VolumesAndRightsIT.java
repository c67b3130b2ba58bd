package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.Laptop.Cluster;
import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.Tool;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("node")
@ExtendWith(Laptop.class)
class VolumesAndRightsIT {
  private final Cluster cluster;

  VolumesAndRightsIT(Cluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void aPodWaitsForItsConfigMapAndSaysSo() {
    PodBuilder pod = cluster.bash("waits", "cat /etc/app/conf; exec sleep 100");
    pod.editSpec()
        .addNewVolume()
        .withName("conf")
        .withNewConfigMap()
        .withName("later")
        .endConfigMap()
        .endVolume()
        .editContainer(0)
        .addNewVolumeMount()
        .withName("conf")
        .withMountPath("/etc/app")
        .endVolumeMount()
        .endContainer()
        .endSpec();
    cluster.create(pod);
    ContainerStatus waiting =
        cluster.awaitStatus(
            "waits",
            s ->
                s.getState().getWaiting() != null
                    && s.getState().getWaiting().getMessage() != null);
    assertThat(waiting.getState().getWaiting().getReason()).isEqualTo("ContainerCreating");
    assertThat(waiting.getState().getWaiting().getMessage())
        .contains("later")
        .contains("not found");

    cluster
        .client()
        .configMaps()
        .inNamespace(cluster.namespace())
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("later")
                .endMetadata()
                .addToData("conf", "dir=/etc/app\n")
                .build())
        .create();

    cluster.awaitPhase("waits", "Running");
    ContainerFolder folder = ContainerFolder.container(cluster, "waits");
    cluster
        .awaiting("its own path")
        .until(() -> folder.log().equals("dir=" + folder.root() + "/etc/app\n"));
  }

  @Test
  void aPodCanDoWhatItsServiceAccountMayAndNoMore() throws Exception {
    cluster
        .client()
        .serviceAccounts()
        .inNamespace(cluster.namespace())
        .resource(
            new ServiceAccountBuilder().withNewMetadata().withName("flink").endMetadata().build())
        .create();
    String kubectl = CacheDirectory.ofThisUser().binary(Tool.KUBECTL).toString();
    cluster.create(
        cluster
            .bash(
                "rights",
                kubectl
                    + " auth whoami -o jsonpath={.status.userInfo.username}; echo; "
                    + kubectl
                    + " auth can-i list pods; exec sleep 1000")
            .editSpec()
            .withServiceAccountName("flink")
            .endSpec());
    cluster.awaitPhase("rights", "Running");

    String expected = "system:serviceaccount:" + cluster.namespace() + ":flink\nno\n";
    cluster
        .awaiting("answers")
        .until(() -> ContainerFolder.container(cluster, "rights").log(), expected::equals);
    Path kubeconfig =
        ContainerFolder.container(cluster, "rights").dir().resolveSibling("pod.kubeconfig");
    assertThat(permissions(kubeconfig)).isEqualTo("rw-------");
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
