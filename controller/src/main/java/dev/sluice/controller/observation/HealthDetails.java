package dev.sluice.controller.observation;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.controller.observation.JobHealth.Sample;
import dev.sluice.controller.observation.ObservedJob.Job;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Asks for what one job counts, now and then, and only while its spec wants its health checked. Not
 * thread safe.
 */
final class HealthDetails {

  /** As often as Flink itself collects what jobs count. */
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private static final String RESTARTS = "numRestarts";

  /** The same under its older name, which Flink 2 has dropped. */
  private static final String FULL_RESTARTS = "fullRestarts";

  private static final String CHECKPOINTS = "numberOfCompletedCheckpoints";
  private static final List<String> NAMES = List.of(RESTARTS, FULL_RESTARTS, CHECKPOINTS);

  private final FlinkRest flink;
  private final Clock clock;
  private final JobHealth health = new JobHealth();
  private String subject = "";
  private @Nullable Instant asked;
  private Optional<Unhealthy> unhealthy = Optional.empty();

  HealthDetails(FlinkRest flink, Clock clock) {
    this.flink = flink;
    this.clock = clock;
  }

  /** What is wrong with the job; empty while nothing is, or where that is not checked. */
  Optional<Unhealthy> of(PollTarget cluster, Optional<Job> observed) {
    HealthLimits limits = cluster.health();
    Job job = observed.filter(it -> !it.state().isGloballyTerminal()).orElse(null);
    if (limits == null || job == null) {
      begin("");
      return Optional.empty();
    }
    begin(job.id() + " " + job.times().started());
    return isDue()
        ? learn(
            FlinkRest.orNull(() -> flink.metrics(cluster.endpoint(), job.id(), NAMES)),
            job.isUp(),
            limits)
        : unhealthy;
  }

  private void begin(String now) {
    if (!now.equals(subject)) {
      subject = now;
      asked = null;
      unhealthy = Optional.empty();
      health.beginAnew();
    }
  }

  private boolean isDue() {
    Instant now = clock.instant();
    if (asked != null && now.isBefore(asked.plus(INTERVAL))) {
      return false;
    }
    asked = now;
    return true;
  }

  private Optional<Unhealthy> learn(
      @Nullable Map<String, Long> counted, boolean up, HealthLimits limits) {
    Long restarts =
        counted == null ? null : counted.getOrDefault(RESTARTS, counted.get(FULL_RESTARTS));
    if (counted == null || restarts == null) {
      return unhealthy;
    }
    Long checkpoints = counted.get(CHECKPOINTS);
    unhealthy =
        health.note(
            new Sample(
                clock.instant(),
                up,
                restarts,
                checkpoints == null ? OptionalLong.empty() : OptionalLong.of(checkpoints)),
            limits);
    return unhealthy;
  }
}
