package dev.sluice.activities.application;

import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.Checkpoints.Restored;
import dev.sluice.workflows.application.FoundState;
import dev.sluice.workflows.model.StateRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** How old the newest state of a job is. Pure. Flink tells its times in ms, limits are in ms. */
final class StateAge {

  private StateAge() {}

  /**
   * When the newest checkpoint or savepoint of a job was begun, or, where it has completed none,
   * when it was restored.
   *
   * @param statistics empty for a job that takes no checkpoints
   */
  static Optional<Instant> takenAt(Optional<Checkpoints> statistics) {
    return statistics
        .flatMap(
            it ->
                Stream.of(it.latestCompleted(), it.latestSavepoint())
                    .flatMap(Optional::stream)
                    .max(Comparator.comparingLong(Completed::id))
                    .map(Completed::triggeredAt))
        .or(() -> statistics.flatMap(Checkpoints::latestRestored).map(Restored::restoredAt));
  }

  /**
   * How old a state may be. One whose age is not known is not known to be young enough.
   *
   * @param maxMs in ms
   */
  record Limit(long maxMs, Instant now) {

    /** Since that time, in ms; -1 when that is not known. */
    long ageMs(Optional<Instant> takenAt) {
      return takenAt.map(then -> Math.max(0, Duration.between(then, now).toMillis())).orElse(-1L);
    }

    /** Whether a state of that age is not to be used. */
    boolean excludes(long ageMs) {
      return ageMs < 0 || ageMs > maxMs;
    }

    /** A state that was found, unless it is too old. */
    FoundState judged(StateRef state, Optional<Instant> takenAt, String how) {
      long age = ageMs(takenAt);
      return excludes(age)
          ? new FoundState.TooOld(String.valueOf(state.pathOrNull()), age)
          : new FoundState.Found(state, age, how);
    }
  }

  /** {@code 3 min old}, for messages. */
  static String display(long ms) {
    return ms < 0 ? "of unknown age" : duration(ms) + " old";
  }

  private static String duration(long ms) {
    Duration age = Duration.ofMillis(ms);
    if (age.toHours() >= 1) {
      return age.toHours() + " h";
    }
    return age.toMinutes() >= 1 ? age.toMinutes() + " min" : age.toSeconds() + " s";
  }
}
