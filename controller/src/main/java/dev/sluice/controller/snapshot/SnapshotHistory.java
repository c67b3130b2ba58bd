package dev.sluice.controller.snapshot;

import dev.sluice.activities.snapshot.HistoryLimits;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.SnapshotState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which of the snapshots of a job are not needed any more: the periodic ones and those of
 * operations count together. Only those that Sluice made are ever deleted, only when they have
 * ended (FLINK-40384), never the newest that was completed, and never one that something may still
 * be started from (FLINK-38033). Those that failed are counted apart, so that they push none out
 * that was completed. Pure.
 *
 * @param excess to be deleted, oldest last
 * @param next when the next one becomes too old; null when none does
 */
record SnapshotHistory(List<Excess> excess, @Nullable Instant next) {

  /**
   * @param why in words
   */
  record Excess(FlinkStateSnapshot snapshot, String why) {}

  /**
   * What is too much now.
   *
   * @param owner uid of the resource that runs the job
   * @param made snapshots of the job, of any kind
   * @param isNeeded whether something refers to it; asked only of what would be deleted
   */
  static SnapshotHistory of(
      SnapshotType type,
      String owner,
      Collection<FlinkStateSnapshot> made,
      HistoryLimits limits,
      Predicate<FlinkStateSnapshot> isNeeded,
      Instant now) {
    List<Excess> excess = new ArrayList<>();
    Instant next = null;
    for (boolean completed : new boolean[] {true, false}) {
      List<FlinkStateSnapshot> newestFirst = ended(type, owner, made, completed);
      for (int i = 0; i < newestFirst.size(); i++) {
        FlinkStateSnapshot snapshot = newestFirst.get(i);
        boolean newestCompleted = completed && i == 0;
        if (newestCompleted) {
          continue;
        }
        Duration age = limits.age();
        Instant end = age == null ? null : RequestedSnapshot.takenAt(snapshot).plus(age);
        boolean tooMany = i >= limits.count();
        boolean tooOld = end != null && !end.isAfter(now);
        if ((tooMany || tooOld) && !isNeeded.test(snapshot)) {
          excess.add(
              new Excess(
                  snapshot,
                  tooMany ? tooMany(type, limits, completed) : "it is older than " + age));
        } else if (end != null && end.isAfter(now) && (next == null || end.isBefore(next))) {
          next = end;
        }
      }
    }
    return new SnapshotHistory(List.copyOf(excess), next);
  }

  private static String tooMany(SnapshotType type, HistoryLimits limits, boolean completed) {
    return "more than %d periodic %ss%s %s"
        .formatted(
            limits.count(),
            type.word(),
            type == SnapshotType.SAVEPOINT ? " and those of operations" : "",
            completed ? "were completed" : "were not completed");
  }

  private static List<FlinkStateSnapshot> ended(
      SnapshotType type, String owner, Collection<FlinkStateSnapshot> made, boolean completed) {
    return made.stream()
        .filter(it -> RequestedSnapshot.isOfHistory(it, owner))
        .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
        .filter(it -> type == SnapshotType.SAVEPOINT == (it.getSpec().savepoint() != null))
        .filter(it -> it.getStatus().stateOrPending().isFinal())
        .filter(it -> completed == (it.getStatus().state() == SnapshotState.COMPLETED))
        .sorted(
            Comparator.comparing(RequestedSnapshot::takenAt)
                .thenComparing(it -> it.getMetadata().getName())
                .reversed())
        .toList();
  }
}
