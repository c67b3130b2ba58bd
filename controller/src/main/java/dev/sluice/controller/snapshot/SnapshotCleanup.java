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
import java.util.Set;
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

  /** What stays, because it is needed or could not be deleted, is looked at again then. */
  private static final Duration AGAIN = Duration.ofMinutes(1);

  private final Deletion deletion;
  private final SpecRevisions revisions;
  private final Clock clock;
  private final ConcurrentMap<String, Instant> pauses = new ConcurrentHashMap<>();

  SnapshotCleanup(KubernetesClient client, Clock clock) {
    this.deletion = new Deletion(SingleTry.of(client));
    this.revisions = new SpecRevisions(SingleTry.of(client));
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
    List<Excess> excess = new ArrayList<>();
    for (SnapshotType type : SnapshotType.values()) {
      HistoryLimits.of(type, seen.operatorConfiguration(), defaults)
          .map(it -> SnapshotHistory.excess(type, seen.ref().uid(), made, it, now))
          .ifPresent(excess::addAll);
    }
    List<StatusEvent> events = delete(excess, seen, others);
    if (events.stream().filter(it -> !it.warning()).count() == excess.size()) {
      return new Cleaned(events, null);
    }
    pauses.put(seen.ref().uid(), now.plus(AGAIN));
    return new Cleaned(events, AGAIN);
  }

  /** The resource is gone. */
  void forget(String uid) {
    pauses.remove(uid);
  }

  /**
   * Returns the events: what was deleted, and the first failure. One that is refused is not in the
   * way of the others; without Kubernetes it ends for now.
   */
  private List<StatusEvent> delete(
      List<Excess> excess, SnapshotOwner seen, Supplier<Stream<HasMetadata>> others) {
    List<StatusEvent> events = new ArrayList<>();
    ApplicationFailure first = null;
    try {
      Set<String> left = excess.isEmpty() ? Set.of() : revisions.statesLeft(seen.ref());
      for (Excess each : excess) {
        if (isNeeded(each.snapshot(), left, others)) {
          continue;
        }
        try {
          deletion.delete(each.snapshot());
          events.add(removed(each));
        } catch (ApplicationFailure failed) {
          if (KubernetesFailure.UNAVAILABLE.equals(failed.getType())) {
            throw failed;
          }
          LOG.warn("{}", failed.getOriginalMessage());
          first = first == null ? failed : first;
        }
      }
    } catch (ApplicationFailure failed) {
      LOG.warn("{}", failed.getOriginalMessage());
      first = first == null ? failed : first;
    }
    if (first != null) {
      events.add(failure(first));
    }
    return events;
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

  private static StatusEvent removed(Excess excess) {
    return StatusEvent.normal(
        EventReasons.SNAPSHOT_REMOVED,
        "FlinkStateSnapshot %s was deleted: %s."
            .formatted(excess.snapshot().getMetadata().getName(), excess.why()));
  }
}
