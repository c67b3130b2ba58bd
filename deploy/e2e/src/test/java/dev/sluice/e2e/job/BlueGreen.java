package dev.sluice.e2e.job;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.cluster.TestCluster;
import dev.sluice.testing.Patience;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/** A FlinkBlueGreenDeployment of the sample job, as a person sees it. */
public final class BlueGreen {

  private static final ResourceDefinitionContext KIND =
      new ResourceDefinitionContext.Builder()
          .withGroup("flink.apache.org")
          .withVersion("v1beta1")
          .withKind("FlinkBlueGreenDeployment")
          .withPlural("flinkbluegreendeployments")
          .withNamespaced(true)
          .build();

  private final TestCluster cluster;
  private final Scene scene;
  private final String name;
  private final List<Breakpoint> breakpoints = new ArrayList<>();
  private final Map<String, String> configuration = new TreeMap<>();

  /** One that need not exist yet. */
  public BlueGreen(Scene scene, String name) {
    this.cluster = scene.cluster();
    this.scene = scene;
    this.name = name;
  }

  /** A key of {@code spec.configuration}, from the next {@link #apply} on. */
  public BlueGreen configured(String key, String value) {
    configuration.put(key, value);
    return this;
  }

  public String name() {
    return name;
  }

  /** The child of that colour. */
  public Job child(String color) {
    return scene.job(name + "-" + color);
  }

  /** Applies it with that spec as its template. */
  public void apply(Manifest template) {
    cluster.kubectl().apply(manifest(template));
  }

  private String manifest(Manifest template) {
    return """
        apiVersion: flink.apache.org/v1beta1
        kind: FlinkBlueGreenDeployment
        metadata:
          name: %s
          namespace: %s
        spec:
          configuration: {%s}
          template:
        %s
        """
        .formatted(
            name,
            scene.namespace(),
            configuration.entrySet().stream()
                .map(it -> "%s: '%s'".formatted(it.getKey(), it.getValue()))
                .collect(Collectors.joining(", ")),
            template.specText().indent(4));
  }

  /** Until the newest spec is live, and nothing else is there. */
  public Resource awaitLive(String color) {
    return await(
        color + " is live",
        it -> it.isReady() && it.status("/blueGreenState").equals("ACTIVE_" + color.toUpperCase()));
  }

  /** Until the resource is as it should be. */
  public Resource await(String what, Predicate<Resource> condition) {
    return Resource.await(scene.namespace() + "/" + name, this::get, what, condition);
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

  /** Sets an annotation, such as {@code sluice.dev/abort}. */
  public void annotate(String annotation, String value) {
    String unused =
        cluster
            .kubectl()
            .run(
                "annotate",
                "-n",
                scene.namespace(),
                "flinkbgdep",
                name,
                "--overwrite",
                annotation + "=" + value);
  }

  /** Makes the worker wait at a step of it. */
  public Breakpoint hold(Breakpoint.Moment moment, String step) {
    Breakpoint breakpoint = cluster.breakpoint(moment, step, workflowIdWithoutUid());
    breakpoint.set();
    breakpoints.add(breakpoint);
    return breakpoint;
  }

  /** Lets the worker go on wherever it is held. */
  public void close() {
    breakpoints.forEach(Breakpoint::release);
  }

  /** Its workflow in Temporal; those of its children are theirs. */
  public Lane lane() {
    return new Lane(
        cluster.temporal(), "%s_%s".formatted(workflowIdWithoutUid(), get().uid().substring(0, 8)));
  }

  private String workflowIdWithoutUid() {
    return "FlinkBlueGreenDeployment_%s_%s".formatted(scene.namespace(), name);
  }

  /** Lets the worker go on, and deletes it, if it is there; does not wait. */
  public void discard() {
    close();
    resource().delete();
  }

  /** Deletes it and waits until it is gone. */
  public void delete() {
    resource().delete();
    awaitGone();
  }

  /** Until it is gone. */
  public void awaitGone() {
    Awaitility.await(name + " is deleted")
        .atMost(Patience.times(2))
        .pollInterval(Duration.ofMillis(200))
        .until(() -> find().isEmpty());
  }

  private io.fabric8.kubernetes.client.dsl.Resource<GenericKubernetesResource> resource() {
    return cluster
        .kubernetes()
        .genericKubernetesResources(KIND)
        .inNamespace(scene.namespace())
        .withName(name);
  }
}
