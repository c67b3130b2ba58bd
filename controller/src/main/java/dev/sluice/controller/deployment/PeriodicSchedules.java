package dev.sluice.controller.deployment;

import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.operation.Recurrence;
import dev.sluice.controller.operation.ScheduleDispatcher;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.snapshot.CreatePeriodicSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one schedule for each type of snapshot that a spec asks for periodically. It stays while
 * the job is suspended or upgraded: what it starts says then that it was skipped.
 */
final class PeriodicSchedules {

  private final ScheduleDispatcher schedules;

  PeriodicSchedules(ScheduleDispatcher schedules) {
    this.schedules = schedules;
  }

  /**
   * What came of it.
   *
   * @param review when to look again; null when not
   */
  record Kept(List<StatusEvent> events, @Nullable Duration review) {}

  /** Begins to bring the schedules to what the spec says. */
  Kept carryOut(SnapshotOwner seen, Runnable wake) {
    List<StatusEvent> events = new ArrayList<>();
    Duration review = null;
    if (seen.frozenGeneration() == null) {
      return new Kept(events, null); // nothing was ever deployed, nor scheduled
    }
    for (SnapshotType type : SnapshotType.values()) {
      String id = id(seen.ref(), type);
      Optional<Duration> again =
          schedules.keep(
              seen.ref(),
              id,
              wanted(seen, type).map(it -> recurrence(seen.ref(), type, it)).orElse(null),
              wake);
      if (again.isPresent() && (review == null || again.get().compareTo(review) < 0)) {
        review = again.get();
      }
      schedules
          .untold(id)
          .map(why -> "The schedule of periodic %ss cannot be kept: %s".formatted(type.word(), why))
          .map(message -> StatusEvent.warning(EventReasons.SNAPSHOT_ERROR, message))
          .ifPresent(events::add);
    }
    return new Kept(events, review);
  }

  /** The resource goes. */
  void end(SnapshotOwner seen) {
    for (SnapshotType type : SnapshotType.values()) {
      if (wanted(seen, type).isPresent()) {
        schedules.end(seen.ref(), id(seen.ref(), type));
      }
    }
  }

  /** The resource is gone. */
  void forget(ResourceRef ref, SnapshotType type) {
    schedules.forget(id(ref, type));
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
