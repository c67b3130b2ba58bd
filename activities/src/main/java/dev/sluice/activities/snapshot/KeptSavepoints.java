package dev.sluice.activities.snapshot;

import dev.sluice.activities.job.RestoredPath;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import io.temporal.failure.ApplicationFailure;
import java.util.Optional;

/**
 * Which savepoints are not deleted with their snapshot: those that some job may be started from, of
 * whatever resource and namespace (FLINK-38033), or that another snapshot is of. Blocks for a few
 * calls, more where there are hundreds of resources.
 */
final class KeptSavepoints {

  private final SnapshotStore store;
  private final ResourceStores stores;

  KeptSavepoints(SnapshotStore store, ResourceStores stores) {
    this.store = store;
    this.stores = stores;
  }

  /**
   * Why its files must not be deleted, in words; empty when they may be, which is so only if it has
   * a job.
   *
   * @param owner what runs the job of the snapshot
   * @param path of the savepoint
   * @throws ApplicationFailure when Kubernetes does not answer
   */
  Optional<String> why(
      ResourceRef ref, FlinkStateSnapshot snapshot, Optional<JobOwner> owner, String path) {
    if (snapshot.getSpec().jobReference() == null) {
      return Optional.of("it names no job, so no Flink can be asked to delete it");
    }
    String named = SnapshotActivitiesImpl.named(snapshot);
    if (owner.isEmpty()) {
      return Optional.of(named + " does not exist");
    }
    if (owner.get().needs(path)) {
      return Optional.of(named + " may still be started from it");
    }
    if (store.others(ref).stream()
        .anyMatch(it -> RestoredPath.haveSameName(path, it.getStatus().path()))) {
      return Optional.of("another FlinkStateSnapshot has the same path");
    }
    return startedFrom(ref, path);
  }

  private Optional<String> startedFrom(ResourceRef ref, String path) {
    try {
      for (ResourceStore each : stores.all()) {
        Optional<ResourceRef> found = each.startingFrom(ref, path);
        if (found.isPresent()) {
          return found.map(
              it -> "%s %s may still be started from it".formatted(it.kind(), it.display()));
        }
      }
      return Optional.empty();
    } catch (ApplicationFailure failed) {
      if (!FailureType.REFUSED.equals(failed.getType())) {
        throw failed;
      }
      return Optional.of(
          "it is not known whether a job may still be started from it: "
              + failed.getOriginalMessage());
    }
  }
}
