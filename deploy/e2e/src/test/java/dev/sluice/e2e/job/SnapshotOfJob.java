package dev.sluice.e2e.job;

import dev.sluice.e2e.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.awaitility.Awaitility;

/** A FlinkStateSnapshot of a job, as a person sees it. */
public final class SnapshotOfJob {

  private static final ResourceDefinitionContext KIND =
      new ResourceDefinitionContext.Builder()
          .withGroup("flink.apache.org")
          .withVersion("v1beta1")
          .withKind("FlinkStateSnapshot")
          .withPlural("flinkstatesnapshots")
          .withNamespaced(true)
          .build();

  private final TestCluster cluster;
  private final String namespace;
  private final String job;
  private final String name;

  /** A snapshot that need not exist yet. */
  public SnapshotOfJob(TestCluster cluster, Job job, String name) {
    this(cluster, job.namespace(), "{kind: FlinkDeployment, name: %s}".formatted(job.name()), name);
  }

  /** The same of a job on a session cluster. */
  public SnapshotOfJob(TestCluster cluster, SessionJob job, String name) {
    this(cluster, job.namespace(), "{kind: FlinkSessionJob, name: %s}".formatted(job.name()), name);
  }

  private SnapshotOfJob(TestCluster cluster, String namespace, String job, String name) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.job = job;
    this.name = name;
  }

  /** The one of that savepoint, with which an operation has stopped the job, once it is there. */
  public static SnapshotOfJob ofOperation(TestCluster cluster, Job job, Path savepoint) {
    return Awaitility.await("a FlinkStateSnapshot of " + savepoint)
        .pollInterval(Duration.ofMillis(200))
        .until(
            () ->
                cluster
                    .kubernetes()
                    .genericKubernetesResources(KIND)
                    .inNamespace(job.namespace())
                    .withLabel("snapshot.trigger-type", "UPGRADE")
                    .withLabel("job-reference.name", job.name())
                    .list()
                    .getItems()
                    .stream()
                    .map(it -> new SnapshotOfJob(cluster, job, it.getMetadata().getName()))
                    .filter(it -> it.isOf(savepoint))
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private boolean isOf(Path savepoint) {
    return find()
        .map(it -> it.json().at("/spec/savepoint/path").asText())
        .filter(it -> savepoint.equals(Path.of(URI.create(it).getPath())))
        .isPresent();
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /**
   * Applies it.
   *
   * @param what {@code savepoint: {...}} or {@code checkpoint: {}}, and perhaps a backoffLimit, as
   *     YAML
   */
  public SnapshotOfJob apply(String what) {
    String unused =
        cluster
            .kubectl()
            .apply(
                """
                apiVersion: flink.apache.org/v1beta1
                kind: FlinkStateSnapshot
                metadata:
                  name: %s
                  namespace: %s
                spec:
                  jobReference: %s
                  %s
                """
                    .formatted(name, namespace, job, what));
    return this;
  }

  /** Until the worker has Flink's answer that it was triggered. */
  void awaitTriggered() {
    Awaitility.await(name + " is triggered")
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> lane().heartbeats(),
            seen -> seen.contains("was triggered") || seen.contains("is being taken"));
  }

  /** Its workflow in Temporal. */
  public Lane lane() {
    return new Lane(
        cluster.temporal(), "%s_%s".formatted(workflowIdWithoutUid(), get().uid().substring(0, 8)));
  }

  private String workflowIdWithoutUid() {
    return "FlinkStateSnapshot_%s_%s".formatted(namespace, name);
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

  /** Until its state is that, as {@code kubectl wait} does it. */
  public Resource await(String state) {
    await("jsonpath={.status.state}=" + state, "180s");
    return get();
  }

  private void await(String what, String atMost) {
    String unused =
        cluster
            .kubectl()
            .run(
                "wait",
                "-n",
                namespace,
                "flinksnp/" + name,
                "--for=" + what,
                "--timeout=" + atMost);
  }

  /** Where it is on disk. */
  public Path path() {
    return Path.of(Objects.requireNonNull(URI.create(get().status("/path")).getPath()));
  }

  /** Whether what it names can be restored from. */
  public boolean isOnDisk() {
    return Files.exists(path().resolve("_metadata"));
  }

  /** Whether what Flink has written into its metadata says so, such as {@code NATIVE}. */
  public boolean isWrittenAs(String kind) {
    try {
      return Files.readString(path().resolve("_metadata"), StandardCharsets.ISO_8859_1)
          .contains(kind);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes it, and waits until it is gone. */
  public void delete() {
    String unused =
        cluster.kubectl().run("delete", "-n", namespace, "flinksnp", name, "--timeout=180s");
  }

  private io.fabric8.kubernetes.client.dsl.Resource<GenericKubernetesResource> resource() {
    return cluster
        .kubernetes()
        .genericKubernetesResources(KIND)
        .inNamespace(namespace)
        .withName(name);
  }
}
