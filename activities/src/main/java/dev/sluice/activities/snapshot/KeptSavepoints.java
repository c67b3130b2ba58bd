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
import org.jspecify.annotations.Nullable;

/**
 * Finds the savepoints that must not be deleted with their snapshot: a job may be started from
 * them, of any resource in any namespace (FLINK-38033), or another snapshot is of the same
 * savepoint. It lists the whole Kubernetes cluster. Everybody who asks before a listing begins
 * shares that one: their snapshots are already being deleted, so nobody can newly refer to them by
 * name.
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
   * @param owner what runs the job of the snapshot; null when that is gone
   * @param path of the savepoint
   */
  CompletableFuture<Optional<Disposal>> insteadOf(
      FlinkStateSnapshot snapshot, @Nullable JobOwner owner, String path) {
    if (owner != null && owner.needs(path)) {
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
