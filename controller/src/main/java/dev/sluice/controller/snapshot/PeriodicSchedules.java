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

  /** The problem of a call that was not made, because too many were under way. */
  private static final String POSTPONED = "";

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
   * @param problem why it failed; null when it did not
   */
  private record Known(@Nullable String interval, Instant again, @Nullable String problem) {}

  /**
   * The result of a pass.
   *
   * @param review when to look again; null when not
   */
  record Kept(List<StatusEvent> events, @Nullable Duration review) {}

  /** Brings the schedules to what the spec asks for. */
  Kept carryOut(SnapshotOwner seen) {
    List<StatusEvent> events = new ArrayList<>();
    boolean failed = false;
    if (seen.frozenGeneration() == null) {
      return new Kept(events, null); // nothing was ever deployed, nor scheduled
    }
    for (SnapshotType type : SnapshotType.values()) {
      String id = id(seen.ref(), type);
      Known last = known.get(id);
      Optional<SnapshotInterval> wanted = wanted(seen, type);
      String interval = wanted.map(SnapshotInterval::text).orElse(null);
      if (isDue(last, interval)) {
        String problem = call(seen.ref(), type, wanted);
        remember(id, interval, problem);
        if (problem != null
            && !problem.equals(POSTPONED)
            && (last == null || !problem.equals(last.problem))) {
          events.add(event(type, problem));
        }
        failed |= problem != null;
      } else {
        failed |= last != null && last.problem != null;
      }
    }
    return new Kept(events, failed ? AFTER_FAILURE : null);
  }

  /** One that another process has made, and nobody wants, ends itself at its next time. */
  private boolean isDue(@Nullable Known last, @Nullable String interval) {
    if (last == null) {
      return interval != null;
    }
    return !Objects.equals(last.interval, interval) || !clock.instant().isBefore(last.again);
  }

  private void remember(String id, @Nullable String interval, @Nullable String problem) {
    if (interval == null && problem == null) {
      known.remove(id);
    } else {
      Duration until = problem == null ? LOOK_AGAIN : AFTER_FAILURE;
      known.put(id, new Known(interval, clock.instant().plus(until), problem));
    }
  }

  /** Returns why it failed; null when it did not. */
  private @Nullable String call(
      ResourceRef ref, SnapshotType type, Optional<SnapshotInterval> wanted) {
    try {
      if (wanted.isPresent()) {
        temporal.keep(recurrence(ref, type, wanted.get()));
      } else {
        temporal.end(id(ref, type));
      }
      return null;
    } catch (TemporalFailure failed) {
      LOG.warn("{}", failed.why());
      return Objects.requireNonNullElse(failed.why(), POSTPONED);
    }
  }

  private static StatusEvent event(SnapshotType type, String problem) {
    return StatusEvent.warning(
        EventReasons.SNAPSHOT_ERROR,
        "The schedule of periodic %ss cannot be kept: %s".formatted(type.word(), problem));
  }

  /** The resource goes. A schedule that Temporal does not answer for ends itself. */
  void end(SnapshotOwner seen) {
    for (SnapshotType type : SnapshotType.values()) {
      if (wanted(seen, type).isPresent()) {
        end(seen.ref(), type);
      }
    }
    forget(seen.ref());
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
    String unused = call(ref, type, Optional.empty());
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
