package dev.sluice.controller.snapshot;

import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SnapshotLabels;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Keeps the labels of a snapshot, and its finalizer: only a savepoint whose files go with the
 * resource has one. Writes only onto the instance that was seen, and only when something differs.
 */
final class SnapshotMetadata {

  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  private final KubernetesClient client;

  SnapshotMetadata(KubernetesClient client) {
    this.client = client;
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
    return seen.isDeleting() || change.isEmpty() ? resource : patch(resource, change);
  }

  /** Lets a deleted resource go. */
  void release(FlinkStateSnapshot resource) {
    FlinkStateSnapshot unused = patch(resource, Map.of("finalizers", finalizers(resource, false)));
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

  private FlinkStateSnapshot patch(FlinkStateSnapshot resource, Map<String, Object> change) {
    ObjectMeta metadata = resource.getMetadata();
    Map<String, Object> body = new HashMap<>(change);
    body.put("uid", metadata.getUid());
    if (change.containsKey("finalizers")) {
      // a list is replaced as a whole: no other entry may get lost
      body.put("resourceVersion", metadata.getResourceVersion());
    }
    return client
        .resource(resource)
        .patch(MERGE, client.getKubernetesSerialization().asJson(Map.of("metadata", body)));
  }
}
