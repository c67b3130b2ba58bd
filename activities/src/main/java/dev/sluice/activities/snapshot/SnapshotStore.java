package dev.sluice.activities.snapshot;

import dev.sluice.activities.kubernetes.CustomResources;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.resource.JobResource;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.snapshot.SnapshotSubject.OfHistory;
import dev.sluice.activities.snapshot.SnapshotSubject.OfResource;
import dev.sluice.activities.snapshot.SnapshotSubject.OfStatus;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.SnapshotLabels;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.failure.ApplicationFailure;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Snapshots as the API server has them. Every method blocks for one call, or a few. */
final class SnapshotStore {

  /** How the API server knows the kind. */
  static final ResourceType TYPE =
      new ResourceType(
          FlinkStateSnapshot.GROUP,
          FlinkStateSnapshot.VERSION,
          FlinkStateSnapshot.KIND,
          FlinkStateSnapshot.PLURAL);

  private final KubernetesClient client;
  private final CustomResources resources;
  private final ResourceStores owners;
  private final SnapshotPatch patch;

  /**
   * @param owners of the kinds that run jobs
   */
  SnapshotStore(KubernetesClient client, ResourceStores owners) {
    this.client = client;
    this.resources = new CustomResources(client);
    this.owners = owners;
    this.patch = new SnapshotPatch(client);
  }

  /**
   * This very instance; on a lane without a resource what it takes now, else what it took last.
   * Fails with {@code ResourceGone} when there is none any more.
   */
  FlinkStateSnapshot read(ResourceRef ref) {
    return now(ref).snapshot();
  }

  /** The same, with where it stands. */
  SnapshotSubject now(ResourceRef ref) {
    return subject(ref, FailureType.RESOURCE_GONE, OfStatus::now);
  }

  /** The same, but on a lane without a resource first of all what goes next in the history. */
  FlinkStateSnapshot toDispose(ResourceRef ref) {
    return next(ref).snapshot();
  }

  /** The same, with where it stands. */
  SnapshotSubject next(ResourceRef ref) {
    return subject(
        ref,
        FailureType.RESOURCE_GONE,
        (owner, type) -> OfHistory.of(owner, type).or(() -> OfStatus.now(owner, type)));
  }

  /** The same, to be changed; the newest that was begun on a lane without a resource. */
  SnapshotSubject begun(ResourceRef ref) {
    return subject(
        ref,
        FailureType.RESOURCE_GONE,
        (owner, type) -> OfStatus.begun(owner, type).or(() -> OfStatus.now(owner, type)));
  }

  /**
   * The same, to be changed; fails with {@code Outdated} when the status of a lane without a
   * resource has it no more: a run that was reset may ask for it.
   *
   * @param uid of the snapshot
   */
  SnapshotSubject of(ResourceRef ref, String uid) {
    return subject(ref, FailureType.OUTDATED, (owner, type) -> OfStatus.of(owner, type, uid));
  }

  /**
   * What goes next in the history of a lane without a resource; empty when that is another one now.
   *
   * @param uid of the snapshot
   * @param keptAt when its files could not be deleted; null when they are gone, or left for good
   */
  Optional<SnapshotSubject> removed(ResourceRef lane, String uid, @Nullable String keptAt) {
    JobResource owner = owner(lane);
    return owner
        .status()
        .savepointToRemove()
        .map(it -> (SnapshotSubject) new OfHistory(owner, it, keptAt))
        .filter(it -> it.snapshot().getMetadata().getUid().equals(uid));
  }

  private SnapshotSubject subject(
      ResourceRef ref,
      String otherwise,
      BiFunction<JobResource, SnapshotType, Optional<SnapshotSubject>> choice) {
    Optional<SnapshotType> type = StatusLane.typeOf(ref);
    if (type.isEmpty()) {
      return new OfResource(resources.get(TYPE, ref, FlinkStateSnapshot.class));
    }
    return choice
        .apply(owner(ref), type.get())
        .orElseThrow(
            () ->
                ApplicationFailure.newNonRetryableFailure(
                    "the status of %s says nothing of that %s any more"
                        .formatted(ref.display(), type.get().word()),
                    otherwise));
  }

  /** What runs the job of a snapshot without a resource. */
  JobResource owner(ResourceRef lane) {
    ResourceRef owner = StatusLane.owner(lane);
    return owners.of(owner).whole(owner);
  }

  /** How the API server knows the kind of that. */
  ResourceType typeOfOwner(ResourceRef lane) {
    return owners.of(StatusLane.owner(lane)).type();
  }

  /** As {@link SnapshotPatch#write(SnapshotSubject, FlinkStateSnapshotStatus)}. */
  GenericKubernetesResource write(SnapshotSubject subject, FlinkStateSnapshotStatus outcome) {
    return patch.write(subject, outcome);
  }

  /** Makes it, unless one of its name is there. */
  void create(FlinkStateSnapshot snapshot) {
    KubernetesFailure.told(
        "make FlinkStateSnapshot %s/%s"
            .formatted(snapshot.getMetadata().getNamespace(), snapshot.getMetadata().getName()),
        () -> {
          try {
            FlinkStateSnapshot unused = client.resource(snapshot).create();
          } catch (KubernetesClientException failed) {
            if (failed.getCode() != HttpURLConnection.HTTP_CONFLICT) {
              throw failed;
            }
            FlinkStateSnapshot there = client.resource(snapshot).get();
            if (there == null) {
              throw failed; // it went meanwhile
            }
            mustBeOurs(snapshot, there);
          }
        });
  }

  /** Made by an earlier try, and not for another resource under the same name. */
  private static void mustBeOurs(FlinkStateSnapshot wanted, FlinkStateSnapshot there) {
    if (!RequestedSnapshot.isSame(there, wanted)) {
      throw ApplicationFailure.newNonRetryableFailure(
          "FlinkStateSnapshot %s exists, and was not made for this resource"
              .formatted(wanted.getMetadata().getName()),
          FailureType.NAME_TAKEN);
    }
  }

  /**
   * Those of the job that a resource runs, found by their labels; empty where the API server does
   * not know FlinkStateSnapshots.
   */
  Optional<List<FlinkStateSnapshot>> of(ResourceRef owner) {
    return KubernetesFailure.told(
        "list the FlinkStateSnapshots of " + owner.display(),
        () -> {
          try {
            return Optional.of(
                client
                    .resources(FlinkStateSnapshot.class)
                    .inNamespace(owner.namespace())
                    .withLabel(SnapshotLabels.REFERENCE_KIND, owner.kind())
                    .withLabel(SnapshotLabels.REFERENCE_NAME, owner.name())
                    .list()
                    .getItems());
          } catch (KubernetesClientException failed) {
            if (failed.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
              throw failed;
            }
            return Optional.empty();
          }
        });
  }
}
