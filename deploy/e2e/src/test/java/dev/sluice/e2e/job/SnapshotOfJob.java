package dev.sluice.e2e.job;

import dev.sluice.e2e.cluster.TestCluster;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
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
public final class SnapshotOfJob extends Managed {

  private static final ResourceDefinitionContext KIND =
      kind("flink.apache.org", "FlinkStateSnapshot", "flinkstatesnapshots");

  private final String job;

  /** A snapshot that need not exist yet. */
  public SnapshotOfJob(TestCluster cluster, Job job, String name) {
    this(cluster, job.namespace(), "{kind: FlinkDeployment, name: %s}".formatted(job.name()), name);
  }

  /** The same of a job on a session cluster. */
  public SnapshotOfJob(TestCluster cluster, SessionJob job, String name) {
    this(cluster, job.namespace(), "{kind: FlinkSessionJob, name: %s}".formatted(job.name()), name);
  }

  private SnapshotOfJob(TestCluster cluster, String namespace, String job, String name) {
    super(cluster, KIND, namespace, name);
    this.job = job;
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
}
