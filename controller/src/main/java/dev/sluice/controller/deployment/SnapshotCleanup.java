package dev.sluice.controller.deployment;

import dev.sluice.activities.deployment.NeededPaths;
import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.deployment.SnapshotHistory.Excess;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the FlinkStateSnapshots of a job that its history has no place for. Their files go as
 * with any other one: by the run that a deletion starts.
 */
final class SnapshotCleanup {

  private static final Logger LOG = LoggerFactory.getLogger(SnapshotCleanup.class);

  /** One that is held by another resource is looked at again then. */
  private static final Duration AGAIN = Duration.ofMinutes(1);

  private final KubernetesClient client;
  private final Deletion deletion;
  private final Clock clock;

  SnapshotCleanup(KubernetesClient client, Clock clock) {
    this.client = SingleTry.of(client);
    this.deletion = new Deletion(this.client);
    this.clock = clock;
  }

  /**
   * What came of it.
   *
   * @param review when to look again; null when not
   */
  record Cleaned(List<StatusEvent> events, @Nullable Duration review) {}

  /**
   * Deletes what is too much.
   *
   * @param made snapshots of its job
   * @param all resources that may be started from one of them
   * @param defaults the operator's Flink configuration for it, as it is now
   */
  Cleaned carryOut(
      DeploymentSnapshot seen,
      Collection<FlinkStateSnapshot> made,
      Supplier<Collection<FlinkDeployment>> all,
      FlinkConfiguration defaults) {
    List<StatusEvent> events = new ArrayList<>();
    Duration review = null;
    Instant now = clock.instant();
    for (SnapshotType type : SnapshotType.values()) {
      Optional<HistoryLimits> limits =
          HistoryLimits.of(type, seen.operatorConfiguration(), defaults);
      if (limits.isPresent() && !made.isEmpty()) {
        SnapshotHistory history =
            SnapshotHistory.of(
                type, made, limits.get(), it -> NeededPaths.contain(all.get(), it), now);
        boolean left = delete(seen, history.excess(), events);
        review = sooner(review, left ? AGAIN : null);
        review =
            sooner(
                review,
                history.next() == null
                    ? null
                    : Duration.between(now, history.next()).plusMillis(1));
      }
    }
    return new Cleaned(events, review);
  }

  /** Returns whether some of them are left. */
  private boolean delete(DeploymentSnapshot seen, List<Excess> excess, List<StatusEvent> events) {
    if (excess.isEmpty()) {
      return false;
    }
    try {
      List<FlinkStateSnapshot> others = inNamespace(seen.ref().namespace());
      boolean left = false;
      for (Excess each : excess) {
        if (NeededPaths.isShared(each.snapshot(), others)) {
          left = true;
        } else {
          deletion.delete(each.snapshot());
          events.add(removed(each));
        }
      }
      return left;
    } catch (ApplicationFailure failed) {
      LOG.warn("{}", failed.getOriginalMessage());
      return true;
    }
  }

  private List<FlinkStateSnapshot> inNamespace(String namespace) {
    return KubernetesFailure.told(
        "list FlinkStateSnapshots",
        () -> client.resources(FlinkStateSnapshot.class).inNamespace(namespace).list().getItems());
  }

  private static StatusEvent removed(Excess excess) {
    return StatusEvent.normal(
        EventReasons.SNAPSHOT_REMOVED,
        "FlinkStateSnapshot %s was deleted: %s."
            .formatted(excess.snapshot().getMetadata().getName(), excess.why()));
  }

  private static @Nullable Duration sooner(@Nullable Duration one, @Nullable Duration other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.compareTo(other) < 0 ? one : other;
  }
}
