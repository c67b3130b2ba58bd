package dev.sluice.workflows.plan;

import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Times;
import dev.sluice.workflows.model.Observation.Target;
import org.jspecify.annotations.Nullable;

/**
 * How old a job and its checkpoints are, against {@code last-state.max.allowed.checkpoint.age}: the
 * rules of Apache's operator. Pure.
 *
 * @param times of the job
 * @param mostMs the most that a checkpoint may be old; null for any age
 */
public record CheckpointAge(Times times, @Nullable Long mostMs) {

  /** By what the target allows. */
  public static CheckpointAge of(Target target, Alive job) {
    return new CheckpointAge(job.times(), target.options().maxCheckpointAgeMs());
  }

  /** Neither the job itself nor its newest checkpoint is young enough. */
  public boolean isTooOld() {
    return mostMs != null
        && times.observedAtMs() > 0
        && !isYoung(times.begunAtMs())
        && !isYoung(times.checkpointAtMs());
  }

  /** It is too old, and a checkpoint in progress would do. */
  public boolean isAwaited() {
    return isTooOld() && isYoung(times.pendingSinceMs());
  }

  private boolean isYoung(long sinceMs) {
    return mostMs != null && sinceMs > 0 && times.observedAtMs() - sinceMs <= mostMs;
  }
}
