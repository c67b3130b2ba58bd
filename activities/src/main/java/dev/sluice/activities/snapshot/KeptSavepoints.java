package dev.sluice.activities.snapshot;

import dev.sluice.activities.kubernetes.AllResources;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.snapshot.Disposal;
import io.temporal.failure.ApplicationFailure;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/**
 * Which savepoints are not deleted with their snapshot: those that some job may be started from, of
 * whatever resource and namespace (FLINK-38033), or that another snapshot is of. All who ask before
 * it begins share one listing of the whole Kubernetes cluster: each of their snapshots is being
 * deleted already, so that nothing new can be started from it by its name.
 */
final class KeptSavepoints {

  private final ResourceStores stores;
  private final AllResources<FlinkStateSnapshot> snapshots;
  private final NextListing<SavepointUses> uses;

  KeptSavepoints(
      ResourceStores stores, AllResources<FlinkStateSnapshot> snapshots, Executor background) {
    this.stores = stores;
    this.snapshots = snapshots;
    this.uses = new NextListing<>(this::list, background);
  }

  /**
   * What becomes of its files instead of being deleted; empty when they may be. Fails when
   * Kubernetes does not answer.
   *
   * @param owner what runs the job of the snapshot
   * @param path of the savepoint
   */
  CompletableFuture<Optional<Disposal>> insteadOf(
      FlinkStateSnapshot snapshot, JobOwner owner, String path) {
    if (owner.needs(path)) {
      return impossible(owner.display() + " may still be started from it");
    }
    return uses.get()
        .thenApply(it -> it.insteadOf(snapshot, path))
        .exceptionallyCompose(KeptSavepoints::refused);
  }

  private SavepointUses list() {
    SavepointUses listed = new SavepointUses();
    for (ResourceStore each : stores.all()) {
      each.needs().forEach(listed::add);
    }
    snapshots.forEachServed(listed::add);
    return listed;
  }

  private static CompletableFuture<Optional<Disposal>> refused(Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    return cause instanceof ApplicationFailure failed
            && FailureType.REFUSED.equals(failed.getType())
        ? impossible(
            "it is not known whether somebody still needs it: " + failed.getOriginalMessage())
        : CompletableFuture.failedFuture(thrown);
  }

  private static CompletableFuture<Optional<Disposal>> impossible(String why) {
    return CompletableFuture.completedFuture(Optional.of(new Disposal.Impossible(why)));
  }
}
