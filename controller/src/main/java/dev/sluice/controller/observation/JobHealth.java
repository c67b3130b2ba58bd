package dev.sluice.controller.observation;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Unhealthy;
import dev.sluice.controller.observation.PollTarget.HealthLimits;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Checks the health of one job, where its spec wants that, from what Flink counts of it: it must
 * not restart all the time, and must complete checkpoints while it is up; a job that restores for
 * long cannot complete one.
 *
 * <p>Counters that go back are those of a JobManager that was restarted: both windows begin anew,
 * as they do with a new controller, so that neither is a false alarm. Not thread safe.
 */
final class JobHealth {

  /** Flink itself collects what jobs count as often. */
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private static final String RESTARTS = "numRestarts";

  private static final String CHECKPOINTS = "numberOfCompletedCheckpoints";
  private static final List<String> NAMES = List.of(RESTARTS, CHECKPOINTS);

  private final FlinkRest flink;
  private final Clock clock;
  private final Deque<Sample> samples = new ArrayDeque<>();
  private String subject = "";
  private @Nullable Instant asked;
  private @Nullable Instant progressAt;
  private Optional<Unhealthy> unhealthy = Optional.empty();

  JobHealth(FlinkRest flink, Clock clock) {
    this.flink = flink;
    this.clock = clock;
  }

  /**
   * What a job counted.
   *
   * @param up whether every task is up
   * @param restarts since its JobManager began it
   * @param checkpoints that it has completed since then; empty for a job that takes none
   */
  private record Sample(Instant at, boolean up, long restarts, OptionalLong checkpoints) {}

  /** What is wrong with the job; empty while nothing is, or where that is not checked. */
  Optional<Unhealthy> of(PollTarget cluster, Optional<Job> observed) {
    HealthLimits limits = cluster.health();
    Job job = observed.filter(it -> !it.state().isGloballyTerminal()).orElse(null);
    String now = limits == null || job == null ? "" : job.id() + " " + job.times().started();
    if (!now.equals(subject)) {
      subject = now;
      asked = null;
      unhealthy = Optional.empty();
      beginWindows();
    }
    if (limits != null && job != null && isDue()) {
      sample(cluster, job).ifPresent(sample -> unhealthy = check(sample, limits));
    }
    return unhealthy;
  }

  private boolean isDue() {
    Instant now = clock.instant();
    if (asked != null && now.isBefore(asked.plus(INTERVAL))) {
      return false;
    }
    asked = now;
    return true;
  }

  private Optional<Sample> sample(PollTarget cluster, Job job) {
    Map<String, Long> counted =
        FlinkRest.orNull(() -> flink.metrics(cluster.endpoint(), job.id(), NAMES));
    Long restarts = counted == null ? null : counted.get(RESTARTS);
    if (counted == null || restarts == null) {
      return Optional.empty();
    }
    Long checkpoints = counted.get(CHECKPOINTS);
    return Optional.of(
        new Sample(
            clock.instant(),
            job.isUp(),
            restarts,
            checkpoints == null ? OptionalLong.empty() : OptionalLong.of(checkpoints)));
  }

  private void beginWindows() {
    samples.clear();
    progressAt = null;
  }

  private Optional<Unhealthy> check(Sample now, HealthLimits limits) {
    Sample last = samples.peekLast();
    if (last != null && isBack(last, now)) {
      beginWindows();
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
