package dev.sluice.e2e.job;

import dev.sluice.e2e.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The pods of one Flink cluster, those that end too. */
final class FlinkPods {

  private final TestCluster cluster;
  private final String namespace;
  private final String owner;
  private final String name;
  private final String component;
  private final Predicate<Pod> which;

  private FlinkPods(
      TestCluster cluster,
      String namespace,
      String owner,
      String name,
      String component,
      Predicate<Pod> which) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.owner = owner;
    this.name = name;
    this.component = component;
    this.which = which;
  }

  /** Those of a FlinkDeployment. */
  static FlinkPods ofDeployment(TestCluster cluster, String namespace, String name) {
    return new FlinkPods(cluster, namespace, "app", name, "component", pod -> true);
  }

  /** Those of one cluster of a FlinkApplication, with that hash in its name. */
  static FlinkPods ofVersion(TestCluster cluster, String namespace, String name, String hash) {
    return new FlinkPods(
        cluster,
        namespace,
        "flink-app",
        name,
        "flink-deployment-type",
        pod -> hash.equals(pod.getMetadata().getAnnotations().get("flink-app-hash")));
  }

  List<Pod> all() {
    return cluster
        .kubernetes()
        .pods()
        .inNamespace(namespace)
        .withLabel(owner, name)
        .list()
        .getItems()
        .stream()
        .filter(which)
        .toList();
  }

  /** One of {@code jobmanager} or {@code taskmanager}. */
  Optional<Pod> one(String type) {
    return all().stream()
        .filter(it -> type.equals(it.getMetadata().getLabels().get(component)))
        .findFirst();
  }
}
