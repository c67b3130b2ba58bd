package dev.sluice.activities.snapshot;

import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.Labels;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.workflows.model.ResourceRef;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the resource that runs the job of a snapshot. Blocks for two calls: the resource and its
 * JobManager Deployment.
 */
final class JobOwners {

  private final ResourceStores stores;

  JobOwners(ResourceStores stores) {
    this.stores = stores;
  }

  /** {@code FlinkDeployment default/orders}, as the spec of the snapshot names it. */
  static String named(FlinkStateSnapshot snapshot) {
    JobReference reference = snapshot.getSpec().jobReference();
    return reference == null
        ? "no job"
        : "%s %s/%s"
            .formatted(reference.kind(), snapshot.getMetadata().getNamespace(), reference.name());
  }

  /**
   * Empty when it does not exist, the snapshot names none, or the snapshot was made for an earlier
   * one of that name.
   */
  Optional<JobOwner> of(ResourceRef ref, FlinkStateSnapshot snapshot) {
    return byName(ref, snapshot).filter(it -> isMeant(snapshot, it.resource()));
  }

  /**
   * The resource of the name that the spec of the snapshot has, also where the snapshot was made
   * for an earlier one: its Flink can delete the files. Empty when it does not exist.
   */
  Optional<JobOwner> byName(ResourceRef ref, FlinkStateSnapshot snapshot) {
    JobReference reference = snapshot.getSpec().jobReference();
    String name = reference == null ? null : reference.name();
    JobKind kind = reference == null ? null : reference.kind();
    if (name == null || kind == null) {
      return Optional.empty();
    }
    ResourceStore store =
        stores.of(new ResourceRef(ref.kubernetes(), kind.wire(), ref.namespace(), name, ""));
    return store.find(ref.namespace(), name).map(it -> owner(store, ref, it));
  }

  private static boolean isMeant(FlinkStateSnapshot snapshot, StoredResource owner) {
    Map<String, String> labels = snapshot.getMetadata().getLabels();
    String uid = labels == null ? null : labels.get(Labels.REFERENCE_UID);
    return uid == null || uid.equals(owner.metadata().getUid());
  }

  private static JobOwner owner(ResourceStore store, ResourceRef ref, StoredResource found) {
    ResourceRef instance =
        new ResourceRef(
            ref.kubernetes(),
            store.type().kind(),
            ref.namespace(),
            found.metadata().getName(),
            found.metadata().getUid());
    return new JobOwner(instance.kind(), found, store.running(instance, found));
  }
}
