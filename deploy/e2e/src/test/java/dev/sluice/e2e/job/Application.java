package dev.sluice.e2e.job;

import dev.sluice.e2e.cluster.TestCluster;
import dev.sluice.local.demo.Counts;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A FlinkApplication of the sample job, as a person sees it and as it really is. */
public final class Application extends Managed {

  private static final ResourceDefinitionContext KIND =
      kind("flink.k8s.io", "FlinkApplication", "flinkapplications");

  /** One that need not exist yet. */
  public Application(TestCluster cluster, String namespace, String name) {
    super(cluster, KIND, namespace, name);
  }

  /** Where it keeps its checkpoints and savepoints. */
  public Path state() {
    return cluster.state(namespace).resolve(name);
  }

  /** The example, under this name. */
  public Manifest manifest() {
    return Manifest.example(cluster.local().config().root(), "flinkapplication.yaml", state())
        .named(namespace, name);
  }

  /** A manifest of the tests, under this name. */
  public Manifest manifest(Path file) {
    return Manifest.read(file, state()).named(namespace, name);
  }

  /** Applies it and waits until it runs, and nothing else is there. */
  public Resource deploy(Manifest manifest) {
    apply(manifest);
    return awaitRunning();
  }

  /** Until the newest spec runs, and nothing else is there. */
  public Resource awaitRunning() {
    return await("running", it -> it.isReady() && it.status("/phase").equals("Running"));
  }

  /** The cluster of the deployed version, as its status names it. */
  public FlinkCluster flink() {
    return flink(get().status("/deployment/deployed/cluster").substring(name.length() + 1));
  }

  /** The cluster with that hash in its name. */
  public FlinkCluster flink(String hash) {
    return new FlinkCluster(
        cluster, namespace, name + "-" + hash, FlinkPods.ofVersion(cluster, namespace, name, hash));
  }

  /** The id of the job of the deployed version, as its status names it. */
  public String jobId() {
    return get().status("/deployment/deployed/jobId");
  }

  /** The counts of the deployed version, as soon as all tasks tell them. */
  public Counts counts() {
    return flink().counts(jobId());
  }

  /** Its savepoints on disk. */
  public List<Path> savepoints() {
    return Savepoints.in(state().resolve("savepoints"));
  }

  /** The Deployments of all its versions. */
  public List<String> deployments() {
    return objects().stream()
        .filter(it -> it.startsWith("Deployment/"))
        .map(it -> it.substring("Deployment/".length()))
        .sorted()
        .toList();
  }

  /** Everything on Kubernetes with its name, or its name and more, as {@code kind/name}. */
  public List<String> objects() {
    var kubernetes = cluster.kubernetes();
    return Stream.of(
            kubernetes.apps().deployments(),
            kubernetes.apps().replicaSets(),
            kubernetes.pods(),
            kubernetes.services(),
            kubernetes.configMaps())
        .flatMap(kind -> kind.inNamespace(namespace).list().getItems().stream())
        .filter(it -> it.getMetadata().getName().matches(name + "(-.*)?"))
        .map(it -> it.getKind() + "/" + it.getMetadata().getName())
        .toList();
  }

  /** The {@code pod-deployment-selector} of the pods that a Service leads to. */
  public String leadsTo(String service) {
    return cluster
        .kubernetes()
        .services()
        .inNamespace(namespace)
        .withName(service)
        .get()
        .getSpec()
        .getSelector()
        .get("pod-deployment-selector");
  }
}
