package dev.sluice.controller.observation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Decides from what a job counts whether it is healthy: it must not restart all the time, and must
 * complete checkpoints while it is up: one that restores for long has no turn to. Counters that go
 * back are those of a JobManager that was restarted: both windows begin anew then, as they do with
 * a new controller, so that neither is a false alarm. Knows no clock: samples have their times. Not
 * thread safe.
 */
final class JobHealth {

  private final Deque<Sample> samples = new ArrayDeque<>();
  private @Nullable Instant progressAt;

  /**
   * What a job counted.
   *
   * @param at when
   * @param up whether every task is up
   * @param restarts since its JobManager began it
   * @param checkpoints that it has completed since then; empty for a job that takes none
   */
  record Sample(Instant at, boolean up, long restarts, OptionalLong checkpoints) {}

  /** Another job, or other processes. */
  void beginAnew() {
    samples.clear();
    progressAt = null;
  }

  /** Takes a sample; returns what is wrong, empty while it is healthy. */
  Optional<Unhealthy> note(Sample now, HealthLimits limits) {
    Sample last = samples.peekLast();
    if (last != null && isBack(last, now)) {
      beginAnew();
      last = null;
    }
    boolean progress = !now.up() || last == null || isMore(last.checkpoints(), now.checkpoints());
    progressAt = progress || progressAt == null ? now.at() : progressAt;
    samples.addLast(now);
    Instant begin = now.at().minus(limits.restartsWindow());
    samples.removeIf(it -> it.at().isBefore(begin));
    return restarts(now, limits).or(() -> checkpoints(now, limits));
  }

  private static boolean isBack(Sample last, Sample now) {
    return now.restarts() < last.restarts() || isMore(now.checkpoints(), last.checkpoints());
  }

  private static boolean isMore(OptionalLong before, OptionalLong after) {
    return after.isPresent() && (before.isEmpty() || after.getAsLong() > before.getAsLong());
  }

  private Optional<Unhealthy> restarts(Sample now, HealthLimits limits) {
    Sample oldest = samples.getFirst();
    long counted = now.restarts() - oldest.restarts();
    return counted > limits.restarts()
        ? Optional.of(
            new Unhealthy(
                "the job restarted %d times in %s"
                    .formatted(counted, words(Duration.between(oldest.at(), now.at()))),
                limits.restartsWindow()))
        : Optional.empty();
  }

  private Optional<Unhealthy> checkpoints(Sample now, HealthLimits limits) {
    Duration window = limits.checkpointWindow();
    Instant since = progressAt;
    if (window == null || since == null || now.checkpoints().isEmpty()) {
      return Optional.empty();
    }
    return Duration.between(since, now.at()).compareTo(window) > 0
        ? Optional.of(
            new Unhealthy("the job has completed no checkpoint for " + words(window), null))
        : Optional.empty();
  }

  private static String words(Duration duration) {
    long seconds = duration.toSeconds();
    return seconds % 60 == 0 && seconds > 0 ? seconds / 60 + " min" : seconds + " s";
  }
}
