package dev.sluice.controller.deployment;

import dev.sluice.activities.deployment.NeededPaths;
import dev.sluice.api.common.FailedRemoval;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SnapshotInStatus;
import dev.sluice.controller.deployment.SnapshotCleanup.Others;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Says in the status which savepoint of its history goes next, one after the other. The run that
 * disposes of it removes it from there.
 */
final class StatusCleanup {

  private static final Pattern CHECKPOINT = Pattern.compile(".*/chk-\\d+/*");

  /** Less than a status has place for, so that none leaves it while its files stay. */
  private static final int MOST = SavepointInfo.LONGEST_HISTORY * 3 / 4;

  private static final Duration FIRST_PAUSE = Duration.ofMinutes(10);

  /** The longest pause is 5 h 20 min. */
  private static final int MOST_DOUBLED = 5;

  private final Clock clock;
  private final RevisionStates left;
  private final NeededIndex index = new NeededIndex();

  /**
   * @param left what earlier specs left, for a rollback to them
   */
  StatusCleanup(Clock clock, RevisionStates left) {
    this.clock = clock;
    this.left = left;
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
   * @param defaults the operator's Flink configuration, as it is now
   * @param underWay whether a run was started for the one that goes next
   */
  Cleaned carryOut(
      SnapshotOwner seen,
      SnapshotTriggers known,
      Others others,
      FlinkConfiguration defaults,
      boolean underWay) {
    Instant now = clock.instant();
    // what no run was started for goes by the limits of now, which may have changed since
    if (underWay
        && seen.status().savepointToRemove().filter(it -> !isPaused(seen, it, now)).isPresent()) {
      return new Cleaned(known, null); // until it has gone
    }
    SnapshotTriggers none = known.withRemoval(null);
    List<Savepoint> history =
        seen.status().savepointHistory().stream().filter(it -> !isCheckpoint(it)).toList();
    Optional<HistoryLimits> limits =
        HistoryLimits.of(SnapshotType.SAVEPOINT, seen.operatorConfiguration(), defaults)
            .map(it -> new HistoryLimits(Math.min(it.count(), MOST), it.age()));
    if (history.size() < 2 || limits.isEmpty() || !seen.isJobUp()) {
      return new Cleaned(none, null);
    }
    StatusHistory judged =
        StatusHistory.of(
            history,
            limits.get(),
            it -> isPaused(seen, it, now) || isNeeded(seen, it, others),
            now);
    Savepoint excess = judged.excess();
    if (excess != null) {
      return new Cleaned(known.withRemoval(excess.location()), null);
    }
    Optional<Instant> next =
        Stream.concat(
                Stream.ofNullable(judged.next()),
                history.stream().map(it -> pauseEnd(seen, it)).flatMap(Optional::stream))
            .filter(it -> it.isAfter(now))
            .min(Comparator.naturalOrder());
    return new Cleaned(none, next.map(it -> Duration.between(now, it).plusMillis(1)).orElse(null));
  }

  /** Its removal has failed a short time ago: the next one is not held up by it. */
  private static boolean isPaused(SnapshotOwner seen, Savepoint savepoint, Instant now) {
    return pauseEnd(seen, savepoint).filter(now::isBefore).isPresent();
  }

  private static Optional<Instant> pauseEnd(SnapshotOwner seen, Savepoint savepoint) {
    String location = savepoint.location();
    return location == null
        ? Optional.empty()
        : seen.status().snapshotsOrNone().failedRemoval(location).flatMap(StatusCleanup::pauseEnd);
  }

  private static Optional<Instant> pauseEnd(FailedRemoval failed) {
    int doubled = Math.min(Math.max(failed.failureCount() - 1, 0), MOST_DOUBLED);
    try {
      return Optional.ofNullable(failed.time())
          .map(it -> Instant.parse(it).plus(FIRST_PAUSE.multipliedBy(1L << doubled)));
    } catch (DateTimeParseException edited) {
      return Optional.empty();
    }
  }

  /** Older operators list retained checkpoints, too, whose files others may share. */
  private static boolean isCheckpoint(Savepoint listed) {
    return listed.location() != null && CHECKPOINT.matcher(listed.location()).matches();
  }

  /** The resource is gone. */
  void forget(String uid) {
    left.forget(uid);
  }

  /** Its own resource is asked first, because that may go back to it. */
  private boolean isNeeded(SnapshotOwner seen, Savepoint savepoint, Others others) {
    FlinkStateSnapshot asOne =
        SnapshotInStatus.ofHistory(savepoint, seen.jobKind(), seen.resource().getMetadata());
    return index.isNeeded(asOne, seen.resource())
        || (savepoint.location() != null && left.contain(seen, savepoint.location()))
        || index.isNeeded(asOne, others.resources().get())
        || NeededPaths.isShared(asOne, others.snapshots().get());
  }
}
