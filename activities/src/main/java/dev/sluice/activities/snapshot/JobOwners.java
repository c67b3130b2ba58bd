package dev.sluice.activities.snapshot;

import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.Labels;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.workflows.model.ResourceRef;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

  /** Uid of what Sluice made it for, which has its name no more once it was replaced; else null. */
  static @Nullable String uid(FlinkStateSnapshot snapshot) {
    Map<String, String> labels = snapshot.getMetadata().getLabels();
    return labels == null ? null : labels.get(Labels.REFERENCE_UID);
  }

  /** Whether a snapshot may be taken of it: not if it was made for an earlier one of that name. */
  static boolean isMeant(FlinkStateSnapshot snapshot, JobOwner owner) {
    String uid = uid(snapshot);
    return uid == null || uid.equals(owner.resource().metadata().getUid());
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
    return store.find(named.namespace(), named.name()).map(found -> owner(store, named, found));
  }

  /**
   * Those of a namespace that fit and are not being deleted. Their clusters are read while the
   * stream is.
   *
   * @param ref to a resource of that namespace
   * @param order by what {@link JobOwner#display} says; those that are equal come by their names
   */
  Stream<JobOwner> in(
      ResourceRef ref, Predicate<StoredResource> fits, ToIntFunction<String> order) {
    return stores.all().stream()
        .flatMap(
            store ->
                store.in(ref.namespace()).stream()
                    .filter(found -> found.metadata().getDeletionTimestamp() == null)
                    .filter(fits)
                    .sorted(
                        Comparator.<StoredResource>comparingInt(
                                found ->
                                    order.applyAsInt(JobOwner.display(store.type().kind(), found)))
                            .thenComparing(found -> found.metadata().getName()))
                    .map(found -> owner(store, named(ref, store, found), found)));
  }

  private static ResourceRef named(ResourceRef ref, ResourceStore store, StoredResource found) {
    return new ResourceRef(
        ref.kubernetes(),
        store.type().kind(),
        ref.namespace(),
        found.metadata().getName(),
        found.metadata().getUid());
  }

  private static JobOwner owner(ResourceStore store, ResourceRef named, StoredResource found) {
    return new JobOwner(named.kind(), found, store.running(instance(named, found), found));
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
