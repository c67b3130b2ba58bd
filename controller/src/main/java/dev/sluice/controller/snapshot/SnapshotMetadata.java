package dev.sluice.controller.snapshot;

import dev.sluice.api.Annotations;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SnapshotLabels;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.controller.common.MetadataPatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Keeps the labels of a snapshot, and of a savepoint whose files go with the resource the finalizer
 * and the version of Flink that took it. Writes only onto the instance that was seen, and only when
 * something differs.
 */
final class SnapshotMetadata {

  private final KubernetesClient client;
  private final MetadataPatch metadata;

  SnapshotMetadata(KubernetesClient client) {
    this.client = client;
    this.metadata = new MetadataPatch(client);
  }

  /**
   * Puts them right, unless the resource is being deleted.
   *
   * @return the resource as it is then
   */
  FlinkStateSnapshot keep(SeenSnapshot seen) {
    FlinkStateSnapshot resource = seen.resource();
    Map<String, Object> change = new HashMap<>();
    Map<String, String> labels =
        Objects.requireNonNullElse(resource.getMetadata().getLabels(), Map.of());
    Map<String, String> wanted = SnapshotLabels.of(resource);
    if (!labels.entrySet().containsAll(wanted.entrySet())) {
      change.put("labels", wanted);
    }
    boolean disposed = seen.violations().isEmpty() && resource.getSpec().isDisposedWithResource();
    if (disposed != seen.hasFinalizer()) {
      change.put("finalizers", finalizers(resource, disposed));
    }
    if (disposed && isJustTaken(resource, labels)) {
      Map<String, String> takenBy = takenBy(resource);
      if (!takenBy.isEmpty()) {
        change.put("annotations", takenBy);
      }
    }
    return seen.isDeleting() || change.isEmpty() ? resource : metadata.apply(resource, change);
  }

  /** Of one that was taken before it is not known what took it. */
  private static boolean isJustTaken(FlinkStateSnapshot resource, Map<String, String> before) {
    Map<String, String> annotations = resource.getMetadata().getAnnotations();
    return resource.getStatus().state() == SnapshotState.COMPLETED
        && !SnapshotState.COMPLETED.name().equals(before.get(SnapshotLabels.STATE))
        && !resource.getSpec().isOfExisting()
        && (annotations == null || !annotations.containsKey(Annotations.FLINK_VERSION));
  }

  /** What took it. Asks the API server, once for each savepoint whose files go with it. */
  private Map<String, String> takenBy(FlinkStateSnapshot resource) {
    JobReference job = resource.getSpec().jobReference();
    String namespace = resource.getMetadata().getNamespace();
    Map<String, String> annotations = new HashMap<>();
    if (job != null && job.kind() != null && job.name() != null) {
      Optional<String> cluster = cluster(job.kind(), namespace, job.name());
      cluster
          .filter(it -> job.kind() == JobKind.FLINK_SESSION_JOB)
          .ifPresent(it -> annotations.put(Annotations.SESSION_CLUSTER, it));
      cluster
          .flatMap(it -> find(FlinkDeployment.class, namespace, it))
          .flatMap(it -> it.getStatus().flinkVersion())
          .ifPresent(it -> annotations.put(Annotations.FLINK_VERSION, it.wire()));
    }
    return annotations;
  }

  /** The FlinkDeployment whose cluster runs the job. */
  private Optional<String> cluster(JobKind kind, String namespace, String name) {
    return switch (kind) {
      case FLINK_DEPLOYMENT -> Optional.of(name);
      case FLINK_SESSION_JOB ->
          find(FlinkSessionJob.class, namespace, name)
              .flatMap(it -> Optional.ofNullable(it.getSpec().deploymentName()))
              .filter(it -> !it.isBlank());
    };
  }

  private <R extends HasMetadata> Optional<R> find(Class<R> type, String namespace, String name) {
    return Optional.ofNullable(client.resources(type).inNamespace(namespace).withName(name).get());
  }

  /** Lets a deleted resource go. */
  void release(FlinkStateSnapshot resource) {
    FlinkStateSnapshot unused =
        metadata.apply(resource, Map.of("finalizers", finalizers(resource, false)));
  }

  private static List<String> finalizers(FlinkStateSnapshot resource, boolean ours) {
    List<String> all =
        new ArrayList<>(
            Objects.requireNonNullElse(resource.getMetadata().getFinalizers(), List.of()));
    all.remove(FlinkStateSnapshot.FINALIZER);
    if (ours) {
      all.add(FlinkStateSnapshot.FINALIZER);
    }
    return all;
  }
}
