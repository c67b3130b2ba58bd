package dev.sluice.e2e.job;

import dev.sluice.e2e.cluster.TestCluster;
import dev.sluice.local.demo.Counts;
import dev.sluice.local.demo.Deployments;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** A FlinkDeployment of the sample job, as a person sees it and as it really is. */
public final class Job extends Managed {

  private Manifest applied;

  /** A job that need not exist yet. */
  public Job(TestCluster cluster, String namespace, String name) {
    super(cluster, Deployments.KIND, namespace, name);
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

  @Override
  public void apply(Manifest manifest) {
    super.apply(manifest);
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

  /** Annotates it, and waits until the run that is open now has the signal that follows. */
  public void request(String annotation, String signal) {
    Lane lane = lane();
    String run = lane.newestRun();
    long before = lane.signals(run, signal);
    annotate(annotation, Long.toString(System.nanoTime()));
    await("signalled with " + signal, it -> lane.signals(run, signal) > before);
  }

  /** Until the newest spec runs. */
  public Resource awaitReady() {
    return await("ready", Resource::isReady);
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
}
