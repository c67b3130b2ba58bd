package dev.sluice.activities.snapshot;

import dev.sluice.activities.kubernetes.CustomResources;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import io.temporal.failure.ApplicationFailure;
import java.util.Optional;

/** Finds what runs the job of a snapshot, of whatever kind that is. Blocks for a few calls. */
final class JobOwners {

  private final CustomResources resources;
  private final ResourceStores stores;

  JobOwners(CustomResources resources, ResourceStores stores) {
    this.resources = resources;
    this.stores = stores;
  }

  /** Empty when it does not exist, or the snapshot names none. */
  Optional<JobOwner> of(ResourceRef ref, FlinkStateSnapshot snapshot) {
    JobReference reference = snapshot.getSpec().jobReference();
    String name = reference == null ? null : reference.name();
    JobKind named = reference == null ? null : reference.kind();
    return name == null || named == null ? Optional.empty() : of(ref, named.wire(), name);
  }

  private Optional<JobOwner> of(ResourceRef ref, String kind, String name) {
    ResourceStore store =
        stores.of(new ResourceRef(ref.kubernetes(), kind, ref.namespace(), name, ""));
    return resources
        .find(store.type(), ref.namespace(), name)
        .flatMap(
            found ->
                read(
                    store,
                    new ResourceRef(
                        ref.kubernetes(), kind, ref.namespace(), name, found.getUid())));
  }

  private static Optional<JobOwner> read(ResourceStore store, ResourceRef owner) {
    try {
      return Optional.of(new JobOwner(owner.kind(), store.read(owner), store.running(owner)));
    } catch (ApplicationFailure failure) {
      if (FailureType.RESOURCE_GONE.equals(failure.getType())) {
        return Optional.empty(); // deleted a moment ago
      }
      throw failure;
    }
  }
}
