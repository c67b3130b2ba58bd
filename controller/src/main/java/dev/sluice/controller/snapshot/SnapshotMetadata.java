package dev.sluice.controller.snapshot;

import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SnapshotLabels;
import dev.sluice.controller.common.MetadataPatch;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Keeps the labels of a snapshot, and the finalizer of a savepoint whose files go with the
 * resource. Writes only onto the instance that was seen, and only when something differs.
 */
final class SnapshotMetadata {

  private final MetadataPatch metadata;

  SnapshotMetadata(KubernetesClient client) {
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
    return seen.isDeleting() || change.isEmpty() ? resource : metadata.apply(resource, change);
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
