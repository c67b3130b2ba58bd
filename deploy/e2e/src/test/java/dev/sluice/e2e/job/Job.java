package dev.sluice.e2e.job;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.cluster.TestCluster;
import dev.sluice.local.demo.Counts;
import dev.sluice.local.demo.Deployments;
import dev.sluice.testing.Patience;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/** A FlinkDeployment of the sample job, as a person sees it and as it really is. */
public final class Job {

  private static final Duration PATIENCE = Patience.times(2);

  private final TestCluster cluster;
  private final String namespace;
  private final String name;
  private final List<Breakpoint> breakpoints = new ArrayList<>();
  private Manifest applied;

  /** A job that need not exist yet. */
  public Job(TestCluster cluster, String namespace, String name) {
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

  /** The example on Flink 2.2, under this name, with the patience of a busy machine. */
  public Manifest manifest() {
    return manifest("counter.yaml");
  }

  /** Another example, under this name, with the patience of a busy machine. */
  public Manifest manifest(String example) {
    return Manifest.example(cluster.local().config().root(), example, state())
        .patient()
        .named(namespace, name);
  }

  /** One of the valid manifests of module api, under its own name in this namespace. */
  public Manifest valid(String file) {
    Path folder = cluster.local().config().root().resolve("api/src/test/resources/manifests/valid");
    return Manifest.read(folder.resolve(file), state()).named(namespace, name);
  }

  public void apply(Manifest manifest) {
    cluster.kubectl().apply(manifest.text());
    applied = manifest;
  }

  /** What was applied last. */
  public Manifest applied() {
    return Objects.requireNonNull(applied, "nothing was applied yet");
  }

  /** Applies it and waits until it runs. */
  public Resource deploy(Manifest manifest) {
    apply(manifest);
    return awaitReady();
  }

  /** Sets an annotation, such as {@code sluice.dev/abort}. */
  public void annotate(String annotation, String value) {
    cluster
        .kubectl()
        .run(
            "annotate", "-n", namespace, "flinkdep", name, "--overwrite", annotation + "=" + value);
  }

  /** Annotates it, and waits until the run that is open now has the signal that follows. */
  public void request(String annotation, String signal) {
    awaitSignal(signal, () -> annotate(annotation, Long.toString(System.nanoTime())));
  }

  /** Applies it, and waits until the run that is open now knows of it. */
  public void applyAndAwaitSignal(Manifest newer) {
    awaitSignal("retarget", () -> apply(newer));
  }

  private void awaitSignal(String signal, Runnable cause) {
    Lane lane = lane();
    String run = lane.newestRun();
    long before = lane.signals(run, signal);
    cause.run();
    await("signalled with " + signal, it -> lane.signals(run, signal) > before);
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

  /** Until the newest spec runs. */
  public Resource awaitReady() {
    return await("ready", Resource::isReady);
  }

  /** Until the resource is as it should be; says what it was last when it never is. */
  public Resource await(String what, Predicate<Resource> condition) {
    return Resource.await(namespace + "/" + name, this::get, what, condition);
  }

  /** The Flink cluster of it. */
  public FlinkCluster flink() {
    return new FlinkCluster(cluster, namespace, name);
  }

  /** The counts now, as soon as all tasks tell them. */
  public Counts counts() {
    return flink().counts();
  }

  /** Its savepoints on disk. */
  public List<Path> savepoints() {
    return Savepoints.in(state().resolve("savepoints"));
  }

  /** Its workflow in Temporal. */
  public Lane lane() {
    return new Lane(
        cluster.temporal(), "%s_%s".formatted(workflowIdWithoutUid(), get().uid().substring(0, 8)));
  }

  private String workflowIdWithoutUid() {
    return "FlinkDeployment_%s_%s".formatted(namespace, name);
  }

  /** Makes the worker wait at a step of this job, which need not exist yet. */
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

  /** Deletes it, if it is there, and does not wait: no test needs it any more. */
  public void discard() {
    close();
    resource().delete();
  }

  /** Until it is gone. */
  public void awaitGone() {
    org.awaitility.Awaitility.await(namespace + "/" + name + " is deleted")
        .atMost(Patience.times(2))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> find().isEmpty());
  }

  /** Lets the worker go on wherever it is held. */
  public void close() {
    breakpoints.forEach(Breakpoint::release);
  }

  private io.fabric8.kubernetes.client.dsl.Resource<GenericKubernetesResource> resource() {
    return cluster
        .kubernetes()
        .genericKubernetesResources(Deployments.KIND)
        .inNamespace(namespace)
        .withName(name);
  }
}
