package dev.sluice.activities.job;

import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.Checkpoints.Restored;
import dev.sluice.activities.flink.JobState;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Picks from checkpoint statistics what a job would have to be restored from. Pure. */
public final class NewestState {

  private NewestState() {}

  /**
   * The newest state of a job in that state.
   *
   * <p>Of a job that is FINISHED only the savepoint counts that it was stopped with: Flink deletes
   * its checkpoints, and an earlier savepoint would take it back.
   *
   * @return external path; empty when the job has none
   */
  public static Optional<String> of(JobState state, Checkpoints checkpoints) {
    Optional<Completed> newest =
        Stream.of(checkpoints.latestCompleted(), checkpoints.latestSavepoint())
            .flatMap(Optional::stream)
            .max(Comparator.comparingLong(Completed::id));
    if (state == JobState.FINISHED) {
      return newest.filter(Completed::savepoint).flatMap(NewestState::path);
    }
    return newest
        .flatMap(NewestState::path)
        .or(() -> checkpoints.latestSavepoint().flatMap(NewestState::path))
        .or(() -> checkpoints.latestRestored().flatMap(Restored::externalPath));
  }

  private static Optional<String> path(Completed state) {
    // Flink writes <checkpoint-not-externally-addressable> where it has no pointer to give
    return state.discarded()
        ? Optional.empty()
        : state.externalPath().filter(path -> path.contains("/"));
  }
}
