package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.Laptop.Cluster;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A real Flink in native mode, whose JobManager makes pods. */
@Tag("node")
@ExtendWith(Laptop.class)
class NativeFlinkIT {
  private static final String MANIFESTS = "native-flink.yaml";

  @TempDir Path folder;
  private final Cluster cluster;

  NativeFlinkIT(Cluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void aJobManagerMakesItsTaskManagersFromTheirPodTemplate() throws Exception {
    cluster.kubectl("apply", "--namespace", cluster.namespace(), "-f", manifests().toString());

    Pod taskManager =
        cluster
            .awaiting("the TaskManager")
            .until(this::taskManagers, pods -> !pods.isEmpty())
            .get(0);

    assertThat(taskManager.getMetadata().getLabels()).containsEntry("from", "template");
    assertThat(taskManager.getSpec().getContainers())
        .extracting(Container::getName)
        .containsExactlyInAnyOrder("flink-main-container", "beside");
    Pod running = cluster.awaitPhase(taskManager.getMetadata().getName(), "Running");
    // empty for a moment while a program takes the place of the one that started it
    cluster
        .awaiting("environment")
        .until(() -> environment(running), it -> it.contains("FROM_TEMPLATE=yes"));
    cluster.kubectl("delete", "--namespace", cluster.namespace(), "deployment", "counter");
    cluster.awaitGone(running.getMetadata().getName());
  }

  private List<Pod> taskManagers() {
    return cluster
        .client()
        .pods()
        .inNamespace(cluster.namespace())
        .withLabel("component", "taskmanager")
        .list()
        .getItems();
  }

  private List<String> environment(Pod running) throws IOException {
    long pid =
        running.getStatus().getContainerStatuses().stream()
            .filter(status -> status.getName().equals("flink-main-container"))
            .mapToLong(Cluster::pid)
            .findFirst()
            .orElseThrow();
    String all = Files.readString(Path.of("/proc/" + pid + "/environ"));
    return List.of(all.split("\0", -1));
  }

  private Path manifests() throws IOException {
    try (InputStream in = NativeFlinkIT.class.getResourceAsStream(MANIFESTS)) {
      if (in == null) {
        throw new IllegalStateException(MANIFESTS + " is missing");
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Files.writeString(
          folder.resolve(MANIFESTS), text.replace("NAMESPACE", cluster.namespace()));
    }
  }
}
