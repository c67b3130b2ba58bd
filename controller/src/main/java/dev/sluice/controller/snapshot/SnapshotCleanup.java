package dev.sluice.controller.snapshot;

import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.snapshot.HistoryLimits;
import dev.sluice.activities.snapshot.SavepointReferences;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.snapshot.SnapshotHistory.Excess;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the FlinkStateSnapshots of a job that its history has no place for. Their files go as
 * with any other one: by the run that a deletion starts.
 */
final class SnapshotCleanup {

  private static final Logger LOG = LoggerFactory.getLogger(SnapshotCleanup.class);

  /** What could not be deleted is tried again then. */
  private static final Duration AGAIN = Duration.ofMinutes(1);

  private final Deletion deletion;
  private final Clock clock;
  private final RevisionStates left;
  private final ConcurrentMap<String, Instant> pauses = new ConcurrentHashMap<>();

  /**
   * @param left what a rollback to an earlier spec would start from
   */
  SnapshotCleanup(KubernetesClient client, Clock clock, RevisionStates left) {
    this.left = left;
    this.deletion = new Deletion(SingleTry.of(client));
    this.clock = clock;
  }

  /**
   * What came of it.
   *
   * @param review when to look again; null when not
   */
  record Cleaned(List<StatusEvent> events, @Nullable Duration review) {}

  /**
   * Deletes what exceeds the history, but only while the job is up: its JobManager deletes the
   * files.
   *
   * @param made snapshots of its job
   * @param others may need a snapshot; read only when one would be deleted
   * @param defaults the operator's Flink configuration for it, as it is now
   */
  Cleaned carryOut(
      SnapshotOwner seen,
      Collection<FlinkStateSnapshot> made,
      Supplier<Stream<HasMetadata>> others,
      FlinkConfiguration defaults) {
    if (made.isEmpty() || !seen.isJobUp()) {
      return new Cleaned(List.of(), null);
    }
    Instant now = clock.instant();
    Instant paused = pauses.get(seen.ref().uid());
    if (paused != null && now.isBefore(paused)) {
      return new Cleaned(List.of(), Duration.between(now, paused).plusMillis(1));
    }
    pauses.remove(seen.ref().uid());
    List<Excess> excess = new ArrayList<>();
    Duration review = null;
    for (SnapshotType type : SnapshotType.values()) {
      Optional<HistoryLimits> limits =
          HistoryLimits.of(type, seen.operatorConfiguration(), defaults);
      if (limits.isPresent()) {
        SnapshotHistory history =
            SnapshotHistory.of(
                type, seen.ref().uid(), made, limits.get(), it -> isNeeded(it, seen, others), now);
        excess.addAll(history.excess());
        review = sooner(review, history.next(), now);
      }
    }
    List<StatusEvent> events = delete(excess);
    if (events.stream().anyMatch(it -> it.reason().equals(EventReasons.SNAPSHOT_ERROR))) {
      pauses.put(seen.ref().uid(), now.plus(AGAIN));
      review = sooner(review, now.plus(AGAIN), now);
    }
    return new Cleaned(events, review);
  }

  /** The resource is gone. */
  void forget(String uid) {
    pauses.remove(uid);
  }

  /** Returns the events: what was deleted, and the first failure. */
  private List<StatusEvent> delete(List<Excess> excess) {
    List<StatusEvent> events = new ArrayList<>();
    StatusEvent failure = null;
    for (Excess each : excess) {
      try {
        deletion.delete(each.snapshot());
        events.add(removed(each));
      } catch (ApplicationFailure failed) {
        LOG.warn("{}", failed.getOriginalMessage());
        failure = failure == null ? failure(failed) : failure;
        if (KubernetesFailure.UNAVAILABLE.equals(failed.getType())) {
          break; // a thread that reconciles does not wait for the same with each of them
        }
      }
    }
    if (failure != null) {
      events.add(failure);
    }
    return events;
  }

  /**
   * Whether something refers to it. Its own resource is asked first: what that may go back to stays
   * too much for long, and the others are read only for what would be deleted otherwise.
   */
  private boolean isNeeded(
      FlinkStateSnapshot snapshot, SnapshotOwner seen, Supplier<Stream<HasMetadata>> others) {
    String path = snapshot.getStatus().path();
    if (path == null) {
      return false;
    }
    SavepointReferences.Target target = new SavepointReferences.Target(path, snapshot);
    return SavepointReferences.named(seen.resource(), target).isPresent()
        || left.contain(seen, path)
        || others.get().anyMatch(it -> SavepointReferences.named(it, target).isPresent());
  }

  private static StatusEvent failure(ApplicationFailure failed) {
    return StatusEvent.warning(
        EventReasons.SNAPSHOT_ERROR,
        "A snapshot that is too much cannot be deleted: %s. It is tried again."
            .formatted(failed.getOriginalMessage()));
  }

  private static StatusEvent removed(Excess excess) {
    return StatusEvent.normal(
        EventReasons.SNAPSHOT_REMOVED,
        "FlinkStateSnapshot %s was deleted: %s."
            .formatted(excess.snapshot().getMetadata().getName(), excess.why()));
  }

  private static @Nullable Duration sooner(
      @Nullable Duration one, @Nullable Instant other, Instant now) {
    if (other == null) {
      return one;
    }
    Duration left = Duration.between(now, other).plusMillis(1);
    return one == null || left.compareTo(one) < 0 ? left : one;
  }
}
