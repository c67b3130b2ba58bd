package dev.sluice.activities.job;

import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.Checkpoints.Restored;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Picks from checkpoint statistics what a job would have to be restored from. Pure. */
public final class NewestState {

  private NewestState() {}

  /**
   * What the job took last and Flink has kept, else what it was restored from.
   *
   * @return external path; empty when the job has no state at all
   */
  public static Optional<String> of(Checkpoints checkpoints) {
    return taken(checkpoints)
        .or(() -> checkpoints.latestRestored().flatMap(Restored::externalPath))
        .filter(path -> !path.isBlank());
  }

  /** What the job took last itself and Flink has kept; its checkpoint ids only grow. */
  public static Optional<String> taken(Checkpoints checkpoints) {
    return Stream.of(checkpoints.latestCompleted(), checkpoints.latestSavepoint())
        .flatMap(Optional::stream)
        .filter(state -> !state.discarded())
        .filter(state -> state.externalPath().filter(path -> path.contains("/")).isPresent())
        .max(Comparator.comparingLong(Completed::id))
        .flatMap(Completed::externalPath);
  }
}
