package dev.sluice.activities.snapshot;

import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.workflows.model.ResourceRef;
import java.util.Optional;

/**
 * Finds what runs the job of a snapshot, of whatever kind that is. Blocks for two calls: the
 * resource and its JobManager Deployment.
 */
final class JobOwners {

  private final ResourceStores stores;

  JobOwners(ResourceStores stores) {
    this.stores = stores;
  }

  /** What a snapshot names; empty when it names nothing. */
  static Optional<ResourceRef> named(ResourceRef ref, FlinkStateSnapshot snapshot) {
    JobReference reference = snapshot.getSpec().jobReference();
    String name = reference == null ? null : reference.name();
    JobKind kind = reference == null ? null : reference.kind();
    return name == null || kind == null
        ? Optional.empty()
        : Optional.of(new ResourceRef(ref.kubernetes(), kind.wire(), ref.namespace(), name, ""));
  }

  /** Empty when it does not exist, or the snapshot names none. */
  Optional<JobOwner> of(ResourceRef ref, FlinkStateSnapshot snapshot) {
    return named(ref, snapshot).flatMap(this::of);
  }

  /**
   * The one that has that name now.
   *
   * @param named whatever uid it has
   */
  Optional<JobOwner> of(ResourceRef named) {
    ResourceStore store = stores.of(named);
    return store
        .find(named.namespace(), named.name())
        .map(
            found ->
                new JobOwner(named.kind(), found, store.running(instance(named, found), found)));
  }

  private static ResourceRef instance(ResourceRef named, StoredResource found) {
    return new ResourceRef(
        named.kubernetes(),
        named.kind(),
        named.namespace(),
        named.name(),
        found.metadata().getUid());
  }
}
