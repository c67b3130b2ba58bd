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

/**
 * Which of the snapshots of a job are not needed any more: the periodic ones and those of
 * operations count together. Only those that Sluice made are ever deleted, only when they have
 * ended (FLINK-40384), never the newest that was completed, and never one that something may still
 * be started from (FLINK-38033). Those that failed are counted apart, so that they push none out
 * that was completed. Pure.
 */
final class SnapshotHistory {

  private SnapshotHistory() {}

  /**
   * @param why in words
   */
  record Excess(FlinkStateSnapshot snapshot, String why) {}

  /**
   * What is too much now, unless something refers to it; the oldest of each kind last.
   *
   * @param owner uid of the resource that runs the job
   * @param made snapshots of the job, of any kind
   */
  static List<Excess> excess(
      SnapshotType type,
      String owner,
      Collection<FlinkStateSnapshot> made,
      HistoryLimits limits,
      Instant now) {
    List<Excess> excess = new ArrayList<>();
    Duration age = limits.age();
    for (boolean completed : new boolean[] {true, false}) {
      List<FlinkStateSnapshot> newestFirst = ended(type, owner, made, completed);
      for (int i = completed ? 1 : 0; i < newestFirst.size(); i++) {
        FlinkStateSnapshot snapshot = newestFirst.get(i);
        if (i >= limits.count()) {
          excess.add(new Excess(snapshot, tooMany(type, limits, completed)));
        } else if (age != null && !RequestedSnapshot.takenAt(snapshot).plus(age).isAfter(now)) {
          excess.add(new Excess(snapshot, "it is older than " + age));
        }
      }
    }
    return excess;
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
