package dev.sluice.e2e.job;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.cluster.TestCluster;
import dev.sluice.local.demo.Counts;
import dev.sluice.testing.Patience;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A FlinkApplication of the sample job, as a person sees it and as it really is. */
public final class Application {

  private static final ResourceDefinitionContext KIND =
      new ResourceDefinitionContext.Builder()
          .withGroup("flink.k8s.io")
          .withVersion("v1beta1")
          .withKind("FlinkApplication")
          .withPlural("flinkapplications")
          .withNamespaced(true)
          .build();

  private final TestCluster cluster;
  private final String namespace;
  private final String name;
  private final List<Breakpoint> breakpoints = new ArrayList<>();

  /** One that need not exist yet. */
  public Application(TestCluster cluster, String namespace, String name) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.name = name;
  }

  public String name() {
    return name;
  }

  public String namespace() {
    return namespace;
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

  /** Applies it. */
  public void apply(Manifest manifest) {
    cluster.kubectl().apply(manifest.text());
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

  /** Until the resource is as it should be. */
  public Resource await(String what, Predicate<Resource> condition) {
    return Resource.await(namespace + "/" + name, this::get, what, condition);
  }

  /** The resource now. */
  public Resource get() {
    return find().orElseThrow(() -> new AssertionError(name + " does not exist"));
  }

  /** The resource now; empty when it does not exist. */
  public Optional<Resource> find() {
    return Optional.ofNullable(resource().get())
        .map(it -> new Resource(Serialization.jsonMapper().valueToTree(it)));
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

  /** Makes the worker wait at a step of it, which need not exist yet. */
  public Breakpoint hold(Breakpoint.Moment moment, String step) {
    Breakpoint breakpoint = cluster.breakpoint(moment, step, workflowIdWithoutUid());
    breakpoint.set();
    breakpoints.add(breakpoint);
    return breakpoint;
  }

  /** Sets an annotation, such as {@code sluice.dev/retry}. */
  public void annotate(String annotation, String value) {
    String unused =
        cluster
            .kubectl()
            .run(
                "annotate",
                "-n",
                namespace,
                "flinkapp",
                name,
                "--overwrite",
                annotation + "=" + value);
  }

  /** Its workflow in Temporal. */
  public Lane lane() {
    return new Lane(
        cluster.temporal(), "%s_%s".formatted(workflowIdWithoutUid(), get().uid().substring(0, 8)));
  }

  private String workflowIdWithoutUid() {
    return "FlinkApplication_%s_%s".formatted(namespace, name);
  }

  /** Until the worker waits there. */
  public void awaitHeld(Breakpoint breakpoint) {
    await(breakpoint.moment() + " " + breakpoint.step(), it -> breakpoint.isReached());
  }

  /** Deletes it and waits until it is gone. */
  public void delete() {
    resource().delete();
    awaitGone();
  }

  /** Lets the worker go on wherever it is held. */
  public void close() {
    breakpoints.forEach(Breakpoint::release);
  }

  /** Lets the worker go on, and deletes it, if it is there; does not wait. */
  public void discard() {
    close();
    resource().delete();
  }

  /** Until it is gone. */
  public void awaitGone() {
    Awaitility.await(name + " is deleted")
        .atMost(Patience.times(2))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> find().isEmpty());
  }

  /** To edit it as an administrator. */
  public io.fabric8.kubernetes.client.dsl.Resource<GenericKubernetesResource> resource() {
    return cluster
        .kubernetes()
        .genericKubernetesResources(KIND)
        .inNamespace(namespace)
        .withName(name);
  }
}
