package dev.sluice.controller.deployment;

import dev.sluice.activities.deployment.NeededPaths;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.SnapshotInStatus;
import dev.sluice.controller.deployment.SnapshotCleanup.Others;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says in the status which savepoint of its history goes next, one after the other. The run that
 * disposes of it removes it from there.
 */
final class StatusCleanup {

  private final Clock clock;
  private final NeededIndex index = new NeededIndex();

  StatusCleanup(Clock clock) {
    this.clock = clock;
  }

  /**
   * What came of it.
   *
   * @param triggers for the status
   * @param review when to look again; null when not
   */
  record Cleaned(SnapshotTriggers triggers, @Nullable Duration review) {}

  /**
   * Decides, but only while the job is up: its JobManager deletes the files.
   *
   * @param resources whether there are FlinkStateSnapshots, and so no more savepoints without one
   * @param defaults the operator's Flink configuration, as it is now
   */
  Cleaned carryOut(
      DeploymentSnapshot seen,
      SnapshotTriggers known,
      boolean resources,
      Others others,
      FlinkConfiguration defaults) {
    if (seen.status().savepointToRemove().isPresent()) {
      return new Cleaned(known, null); // until it has gone
    }
    SnapshotTriggers none = known.withRemoval(null);
    List<Savepoint> history = seen.status().savepointHistory();
    Optional<HistoryLimits> limits =
        HistoryLimits.of(SnapshotType.SAVEPOINT, seen.operatorConfiguration(), defaults);
    if (resources || history.size() < 2 || limits.isEmpty() || !seen.isJobUp()) {
      return new Cleaned(none, null);
    }
    StatusHistory judged =
        StatusHistory.of(history, limits.get(), it -> isNeeded(seen, it, others), clock.instant());
    Savepoint excess = judged.excess();
    if (excess != null) {
      return new Cleaned(known.withRemoval(excess.location()), null);
    }
    return new Cleaned(
        none,
        judged.next() == null
            ? null
            : Duration.between(clock.instant(), judged.next()).plusMillis(1));
  }

  /** Its own resource is asked first, because that may go back to it. */
  private boolean isNeeded(DeploymentSnapshot seen, Savepoint savepoint, Others others) {
    FlinkStateSnapshot asOne =
        SnapshotInStatus.ofHistory(
            savepoint, JobKind.FLINK_DEPLOYMENT, seen.resource().getMetadata());
    return index.isNeeded(asOne, seen.resource())
        || index.isNeeded(asOne, others.resources().get())
        || NeededPaths.isShared(asOne, others.snapshots().get());
  }
}
