package dev.sluice.controller.snapshot;

import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.operation.TemporalFailure;
import dev.sluice.controller.schedule.ScheduleCalls;
import dev.sluice.controller.schedule.ScheduleCalls.Recurrence;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.snapshot.CreatePeriodicSnapshot;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one schedule for each type of snapshot that a spec asks for periodically. It stays while
 * the job is suspended or upgraded: what it starts is skipped then. Each call to Temporal is
 * idempotent, so what is remembered only saves calls.
 */
final class PeriodicSchedules {

  private static final Logger LOG = LoggerFactory.getLogger(PeriodicSchedules.class);

  /** So that one that somebody deleted in Temporal comes back. */
  private static final Duration LOOK_AGAIN = Duration.ofMinutes(10);

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);

  private final ScheduleCalls temporal;
  private final Clock clock;
  private final ConcurrentMap<String, Known> known = new ConcurrentHashMap<>();

  /**
   * @param temporal blocks for a few seconds at most
   */
  PeriodicSchedules(ScheduleCalls temporal, Clock clock) {
    this.temporal = temporal;
    this.clock = clock;
  }

  /**
   * The last call for a schedule.
   *
   * @param interval as the spec has it; null for none
   * @param again when to call again, though nothing changes
   */
  private record Known(@Nullable String interval, Instant again, boolean failed) {}

  /**
   * The result of a pass.
   *
   * @param review when to look again; null when not
   */
  record Kept(List<StatusEvent> events, @Nullable Duration review) {}

  /** Brings the schedules to what the spec asks for. */
  Kept carryOut(SnapshotOwner seen) {
    List<StatusEvent> events = new ArrayList<>();
    if (seen.frozenGeneration() == null) {
      return new Kept(events, null); // nothing was ever deployed, nor scheduled
    }
    boolean failed = false;
    for (SnapshotType type : SnapshotType.values()) {
      SnapshotInterval wanted = wanted(seen, type).orElse(null);
      Known last = known.get(id(seen.ref(), type));
      if (isDue(last, wanted == null ? null : wanted.text())) {
        call(seen.ref(), type, wanted)
            .filter(it -> last == null || !last.failed())
            .ifPresent(events::add);
      }
      Known now = known.get(id(seen.ref(), type));
      failed |= now != null && now.failed();
    }
    return new Kept(events, failed ? AFTER_FAILURE : null);
  }

  /** One that another process has made, and nobody wants, ends itself at its next time. */
  private boolean isDue(@Nullable Known last, @Nullable String interval) {
    if (last == null) {
      return interval != null;
    }
    return !Objects.equals(last.interval(), interval) || !clock.instant().isBefore(last.again());
  }

  /** Returns the event of a call that failed; none where it is only postponed. */
  private Optional<StatusEvent> call(
      ResourceRef ref, SnapshotType type, @Nullable SnapshotInterval wanted) {
    String id = id(ref, type);
    try {
      if (wanted == null) {
        temporal.end(id);
        known.remove(id);
      } else {
        temporal.keep(recurrence(ref, type, wanted));
        known.put(id, new Known(wanted.text(), clock.instant().plus(LOOK_AGAIN), false));
      }
      return Optional.empty();
    } catch (TemporalFailure failed) {
      LOG.warn("{}", failed.why());
      String interval = wanted == null ? null : wanted.text();
      known.put(id, new Known(interval, clock.instant().plus(AFTER_FAILURE), true));
      return Optional.ofNullable(failed.why())
          .map(
              why ->
                  StatusEvent.warning(
                      EventReasons.SNAPSHOT_ERROR,
                      "The schedule of periodic %ss cannot be kept: %s"
                          .formatted(type.word(), why)));
    }
  }

  /** The resource goes. A schedule that Temporal does not answer for ends itself. */
  void end(SnapshotOwner seen) {
    for (SnapshotType type : SnapshotType.values()) {
      if (wanted(seen, type).isPresent() || known.containsKey(id(seen.ref(), type))) {
        end(seen.ref(), type);
      }
    }
  }

  /** The resource is gone, perhaps without its deletion. */
  void forget(ResourceRef ref) {
    for (SnapshotType type : SnapshotType.values()) {
      if (known.containsKey(id(ref, type))) {
        end(ref, type);
      }
    }
  }

  private void end(ResourceRef ref, SnapshotType type) {
    Optional<StatusEvent> unused = call(ref, type, null);
    known.remove(id(ref, type));
  }

  /** When the spec wants snapshots of that type; empty for never. */
  static Optional<SnapshotInterval> wanted(SnapshotOwner seen, SnapshotType type) {
    if (seen.deployedJob() == null || !seen.takes(type)) {
      return Optional.empty();
    }
    try {
      return SnapshotInterval.of(seen.operatorConfiguration(), type);
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty(); // deployed by an operator with other rules
    }
  }

  /** Like the lane of the resource, and no other's. */
  static String id(ResourceRef ref, SnapshotType type) {
    return "%s_periodic-%s".formatted(ref.laneId(), type.word());
  }

  private static Recurrence recurrence(
      ResourceRef ref, SnapshotType type, SnapshotInterval interval) {
    return new Recurrence(
        id(ref, type),
        ref,
        CreatePeriodicSnapshot.TYPE,
        new CreatePeriodicSnapshot.Input(ref, type),
        "periodic %ss of %s".formatted(type.word(), ref.display()),
        interval);
  }
}
