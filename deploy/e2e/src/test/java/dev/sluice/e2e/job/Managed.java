package dev.sluice.e2e.job;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.cluster.TestCluster;
import dev.sluice.testing.Patience;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** A resource that Sluice manages, as a person sees it; it need not exist yet. */
public abstract class Managed {

  final TestCluster cluster;
  final String namespace;
  final String name;
  private final ResourceDefinitionContext kind;
  private final List<Breakpoint> breakpoints = new ArrayList<>();

  Managed(TestCluster cluster, ResourceDefinitionContext kind, String namespace, String name) {
    this.cluster = cluster;
    this.kind = kind;
    this.namespace = namespace;
    this.name = name;
  }

  static ResourceDefinitionContext kind(String group, String kind, String plural) {
    return new ResourceDefinitionContext.Builder()
        .withGroup(group)
        .withVersion("v1beta1")
        .withKind(kind)
        .withPlural(plural)
        .withNamespaced(true)
        .build();
  }

  public String name() {
    return name;
  }

  public String namespace() {
    return namespace;
  }

  public void apply(Manifest manifest) {
    cluster.kubectl().apply(manifest.text());
  }

  /** Sets an annotation, such as {@code sluice.dev/abort}. */
  public void annotate(String annotation, String value) {
    cluster
        .kubectl()
        .run(
            "annotate",
            "-n",
            namespace,
            kind.getPlural(),
            name,
            "--overwrite",
            annotation + "=" + value);
  }

  /** The resource now; empty when it does not exist. */
  public Optional<Resource> find() {
    return Optional.ofNullable(resource().get())
        .map(it -> new Resource(Serialization.jsonMapper().valueToTree(it)));
  }

  /** The resource now. */
  public Resource get() {
    return find().orElseThrow(() -> new AssertionError(namespace + "/" + name + " does not exist"));
  }

  /** Until the resource is as it should be; says what it was last when it never is. */
  public Resource await(String what, Predicate<Resource> condition) {
    return Resource.await(namespace + "/" + name, this::get, what, condition);
  }

  /** Its workflow in Temporal. */
  public Lane lane() {
    return new Lane(
        cluster.temporal(), "%s_%s".formatted(workflowIdWithoutUid(), get().uid().substring(0, 8)));
  }

  private String workflowIdWithoutUid() {
    return "%s_%s_%s".formatted(kind.getKind(), namespace, name);
  }

  /** Makes the worker wait at a step of it. */
  public Breakpoint hold(Breakpoint.Moment moment, String step) {
    Breakpoint breakpoint = cluster.breakpoint(moment, step, workflowIdWithoutUid());
    breakpoint.set();
    breakpoints.add(breakpoint);
    return breakpoint;
  }

  /** Until the worker waits there. */
  public void awaitHeld(Breakpoint breakpoint) {
    await(breakpoint.moment() + " " + breakpoint.step(), it -> breakpoint.isReached());
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

  /** Deletes it and waits until it is gone. */
  public void delete() {
    resource().delete();
    awaitGone();
  }

  public void awaitGone() {
    Awaitility.await(namespace + "/" + name + " is deleted")
        .atMost(Patience.times(2))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> find().isEmpty());
  }

  private io.fabric8.kubernetes.client.dsl.Resource<GenericKubernetesResource> resource() {
    return cluster
        .kubernetes()
        .genericKubernetesResources(kind)
        .inNamespace(namespace)
        .withName(name);
  }
}
