package dev.sluice.controller.snapshot;

import dev.sluice.activities.job.RestoredPath;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.workflows.model.ResourceRef;
import io.temporal.failure.ApplicationFailure;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the states are that the earlier specs of a resource left, which a rollback to one of them
 * starts from. They change only with what was stable, so Kubernetes is asked once for each of
 * these.
 */
final class RevisionStates {

  private static final Logger LOG = LoggerFactory.getLogger(RevisionStates.class);

  private final Function<ResourceRef, Set<String>> read;
  private final ConcurrentMap<String, Known> known = new ConcurrentHashMap<>();

  /**
   * @param read asks Kubernetes for the paths of the states
   */
  RevisionStates(Function<ResourceRef, Set<String>> read) {
    this.read = read;
  }

  private record Known(@Nullable Long frozenAt, @Nullable String stable, Set<String> paths) {

    boolean isOf(ReconciliationStatus status) {
      return Objects.equals(frozenAt, status.reconciliationTimestamp())
          && Objects.equals(stable, status.lastStableSpec());
    }
  }

  /** Whether one of them is that; also as long as that is not known. */
  boolean contain(SnapshotOwner seen, String location) {
    ReconciliationStatus status =
        Objects.requireNonNullElse(
            seen.status().reconciliationStatus(), ReconciliationStatus.EMPTY);
    Known states = known.get(seen.ref().uid());
    if (states == null || !states.isOf(status)) {
      try {
        states =
            new Known(
                status.reconciliationTimestamp(), status.lastStableSpec(), read.apply(seen.ref()));
      } catch (ApplicationFailure failed) {
        LOG.warn(
            "No savepoint of the history of {} is removed: {}",
            seen.ref().display(),
            failed.getOriginalMessage());
        return true;
      }
      known.put(seen.ref().uid(), states);
    }
    return states.paths().stream().anyMatch(it -> RestoredPath.haveSameName(it, location));
  }

  /** The resource is gone. */
  void forget(String uid) {
    known.remove(uid);
  }
}
