package dev.sluice.controller.snapshot;

import dev.sluice.activities.snapshot.HistoryLimits;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.SnapshotState;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which of the snapshots of a job are not needed any more: the periodic ones and those of
 * operations count together. Only those that Sluice made are ever deleted, only when they have
 * ended (FLINK-40384), and never the newest that was completed. Those that failed are counted
 * apart, so that they push none out that was completed. Pure.
 */
final class SnapshotHistory {

  private SnapshotHistory() {}

  /**
   * What is too much now, unless something refers to it; the oldest of each kind last.
   *
   * @param owner uid of the resource that runs the job
   * @param made snapshots of the job, of any kind
   */
  static List<FlinkStateSnapshot> excess(
      SnapshotType type,
      String owner,
      Collection<FlinkStateSnapshot> made,
      HistoryLimits limits,
      Instant now) {
    return Stream.of(true, false)
        .flatMap(
            completed -> {
              List<FlinkStateSnapshot> newestFirst = ended(type, owner, made, completed);
              return IntStream.range(completed ? 1 : 0, newestFirst.size())
                  .filter(i -> i >= limits.count() || isOver(newestFirst.get(i), limits, now))
                  .mapToObj(newestFirst::get);
            })
        .toList();
  }

  /** Operations have theirs made within a minute. */
  private static Instant madeAt(FlinkStateSnapshot snapshot) {
    return Instant.parse(snapshot.getMetadata().getCreationTimestamp());
  }

  private static boolean isOver(FlinkStateSnapshot snapshot, HistoryLimits limits, Instant now) {
    return limits.age() != null && !madeAt(snapshot).plus(limits.age()).isAfter(now);
  }

  private static List<FlinkStateSnapshot> ended(
      SnapshotType type, String owner, Collection<FlinkStateSnapshot> made, boolean completed) {
    return made.stream()
        .filter(it -> RequestedSnapshot.isOfHistory(it, owner))
        .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
        .filter(it -> it.getSpec().type() == type)
        .filter(it -> it.getStatus().stateOrPending().isFinal())
        .filter(it -> completed == (it.getStatus().state() == SnapshotState.COMPLETED))
        .sorted(
            Comparator.comparing(SnapshotHistory::madeAt)
                .thenComparing(it -> it.getMetadata().getName())
                .reversed())
        .toList();
  }
}
