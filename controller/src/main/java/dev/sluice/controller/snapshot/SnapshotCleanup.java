package dev.sluice.controller.snapshot;

import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.revision.SpecRevisions;
import dev.sluice.activities.snapshot.HistoryLimits;
import dev.sluice.activities.snapshot.SavepointReferences;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.common.StatusEvent;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Deletes the FlinkStateSnapshots of a job that its history has no place for. Their files go as
 * with any other one: by the run that a deletion starts.
 */
final class SnapshotCleanup {

  /** What stays, because it is needed or could not be deleted, is looked at again then. */
  private static final Duration AGAIN = Duration.ofMinutes(1);

  private final Deletion deletion;
  private final SpecRevisions revisions;

  SnapshotCleanup(KubernetesClient client) {
    this.deletion = new Deletion(SingleTry.of(client));
    this.revisions = new SpecRevisions(SingleTry.of(client));
  }

  /**
   * Deletes what exceeds the history, but only while the job is up: its JobManager deletes the
   * files. One that is refused is not in the way of the others; without Kubernetes it ends for now.
   *
   * @param made snapshots of its job
   * @param others may need a snapshot; read only when one would be deleted
   * @param defaults the operator's Flink configuration for it, as it is now
   * @param events gets what was deleted, and the first failure
   * @return when to look again; empty when nothing is left to be deleted
   */
  Optional<Duration> carryOut(
      SnapshotOwner seen,
      Collection<FlinkStateSnapshot> made,
      Supplier<Stream<HasMetadata>> others,
      FlinkConfiguration defaults,
      List<StatusEvent> events) {
    List<FlinkStateSnapshot> excess = new ArrayList<>();
    for (SnapshotType type : SnapshotType.values()) {
      HistoryLimits.of(type, seen.operatorConfiguration(), defaults)
          .map(it -> SnapshotHistory.excess(type, seen.ref().uid(), made, it, seen.at()))
          .ifPresent(excess::addAll);
    }
    if (excess.isEmpty() || !seen.isJobUp()) {
      return Optional.empty();
    }
    List<ApplicationFailure> failures = new ArrayList<>();
    int deleted = 0;
    try {
      Set<String> left = revisions.statesLeft(seen.ref());
      for (FlinkStateSnapshot each : excess) {
        if (!isNeeded(each, left, others) && delete(each, failures)) {
          deleted++;
          events.add(removed(each));
        }
      }
    } catch (ApplicationFailure unavailable) {
      failures.add(unavailable);
    }
    failures.stream().findFirst().map(SnapshotCleanup::failure).ifPresent(events::add);
    return deleted == excess.size() ? Optional.empty() : Optional.of(AGAIN);
  }

  private boolean delete(FlinkStateSnapshot snapshot, List<ApplicationFailure> failures) {
    try {
      deletion.delete(snapshot);
      return true;
    } catch (ApplicationFailure failed) {
      if (KubernetesFailure.UNAVAILABLE.equals(failed.getType())) {
        throw failed;
      }
      failures.add(failed);
      return false;
    }
  }

  /**
   * Whether something refers to it.
   *
   * @param left where the states are that a rollback would start from
   */
  private static boolean isNeeded(
      FlinkStateSnapshot snapshot, Set<String> left, Supplier<Stream<HasMetadata>> others) {
    String path = snapshot.getStatus().path();
    if (path == null) {
      return false;
    }
    SavepointReferences.Target target = new SavepointReferences.Target(path, snapshot);
    return left.stream().anyMatch(target::isAt)
        || others.get().anyMatch(it -> SavepointReferences.named(it, target).isPresent());
  }

  private static StatusEvent failure(ApplicationFailure failed) {
    return StatusEvent.warning(
        EventReasons.SNAPSHOT_ERROR,
        "A snapshot that is too much cannot be deleted: %s. It is tried again."
            .formatted(failed.getOriginalMessage()));
  }

  private static StatusEvent removed(FlinkStateSnapshot snapshot) {
    return StatusEvent.normal(
        EventReasons.SNAPSHOT_REMOVED,
        "FlinkStateSnapshot %s was deleted: it is too old, or there are too many newer ones."
            .formatted(snapshot.getMetadata().getName()));
  }
}
