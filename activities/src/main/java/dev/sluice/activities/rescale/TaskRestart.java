package dev.sluice.activities.rescale;

import dev.sluice.activities.flink.CheckpointSettings;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.Checkpoints.Kind;
import dev.sluice.workflows.model.Observation.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What the tasks of a job would start again from when its parallelism changes: the newest completed
 * checkpoint. Pure.
 *
 * @param settings how the job takes checkpoints; empty when it cannot
 * @param checkpoints up to date; empty when it cannot
 * @param now by the JobManager's clock
 */
record TaskRestart(
    Optional<CheckpointSettings> settings, Optional<Checkpoints> checkpoints, Instant now) {

  private static final Duration AT_LEAST = Duration.ofMinutes(1);
  private static final int INTERVALS = 2;

  /**
   * Why they may not start again now; empty when they may: no more is done twice than after a usual
   * failure of a task.
   *
   * @param by the spec by which the job would be upgraded
   */
  Optional<String> problem(Target by) {
    Optional<Duration> interval = settings.flatMap(CheckpointSettings::interval);
    if (interval.isEmpty()) {
      return Optional.of("the job takes no checkpoints, from which its tasks could start again");
    }
    // Flink starts no tasks from a savepoint after which the job went on
    Completed newest =
        checkpoints
            .flatMap(Checkpoints::latestCompleted)
            .filter(it -> it.kind() == Kind.CHECKPOINT)
            .orElse(null);
    if (newest == null) {
      return Optional.of("the job has completed no checkpoint since its JobManager started");
    }
    if (newest.discarded()) {
      return Optional.of("Flink has deleted its newest checkpoint");
    }
    return longCompleted(newest, interval.get()).or(() -> olderThanAllowed(newest, by));
  }

  /** From its completion: one that takes longer than the interval is old as soon as it is there. */
  private Optional<String> longCompleted(Completed newest, Duration interval) {
    Duration usual = interval.multipliedBy(INTERVALS);
    Duration most = usual.compareTo(AT_LEAST) < 0 ? AT_LEAST : usual;
    return newest
        .completedAt()
        .map(at -> more("was completed %d s ago", at, most))
        .orElseGet(() -> more("is %d s old", newest.triggeredAt(), most));
  }

  /** From its trigger, as in an upgrade. */
  private Optional<String> olderThanAllowed(Completed newest, Target by) {
    return Optional.ofNullable(by.options().maxCheckpointAgeMs())
        .flatMap(most -> more("is %d s old", newest.triggeredAt(), Duration.ofMillis(most)));
  }

  private Optional<String> more(String what, Instant since, Duration most) {
    Duration age = Duration.between(since, now);
    return age.compareTo(most) > 0
        ? Optional.of(
            "its newest checkpoint %s, more than %d s"
                .formatted(what.formatted(age.toSeconds()), most.toSeconds()))
        : Optional.empty();
  }
}
