package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Times;
import dev.sluice.controller.support.FakeFlink;
import dev.sluice.controller.support.MovableClock;
import dev.sluice.workflows.model.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HealthDetailsTest {

  private static final HealthLimits LIMITS =
      new HealthLimits(Duration.ofMinutes(2), 64, Duration.ofMinutes(20));

  private final MovableClock clock = new MovableClock(Instant.parse("2026-11-21T10:00:00Z"));
  private final FakeFlink flink = new FakeFlink();
  private final HealthDetails details = new HealthDetails(flink.client(), clock);

  @Test
  void a_job_whose_health_nobody_wants_to_know_is_not_asked() {
    assertThat(look(null, FlinkJobState.RUNNING)).isEmpty();
    assertThat(flink.metricsAsked()).isZero();
  }

  /** FLINK-39507. */
  @Test
  void a_job_that_has_ended_is_not_asked() {
    assertThat(look(LIMITS, FlinkJobState.FINISHED)).isEmpty();
    assertThat(look(LIMITS, FlinkJobState.FAILED)).isEmpty();
    assertThat(flink.metricsAsked()).isZero();
  }

  @Test
  void it_is_asked_seldom_however_often_the_cluster_is_polled() {
    for (int i = 0; i < 21; i++) {
      look(LIMITS, FlinkJobState.RUNNING);
      clock.forward(Duration.ofSeconds(1));
    }

    assertThat(flink.metricsAsked()).isEqualTo(3);
  }

  @Test
  void what_is_wrong_is_said_until_it_is_so_no_more() {
    flink.counts(Map.of("numRestarts", 0L, "numberOfCompletedCheckpoints", 3L));
    look(LIMITS, FlinkJobState.RUNNING);
    clock.forward(Duration.ofSeconds(10));
    flink.counts(Map.of("numRestarts", 65L, "numberOfCompletedCheckpoints", 3L));

    assertThat(look(LIMITS, FlinkJobState.RESTARTING)).isPresent();
    clock.forward(Duration.ofSeconds(1));
    assertThat(look(LIMITS, FlinkJobState.RUNNING)).isPresent();
    clock.forward(Duration.ofMinutes(3));
    assertThat(look(LIMITS, FlinkJobState.RUNNING)).isEmpty();
  }

  @Test
  void an_older_Flink_counts_under_another_name() {
    flink.counts(Map.of("fullRestarts", 0L));
    look(LIMITS, FlinkJobState.RUNNING);
    clock.forward(Duration.ofSeconds(10));
    flink.counts(Map.of("fullRestarts", 65L));

    assertThat(look(LIMITS, FlinkJobState.RUNNING)).isPresent();
  }

  @Test
  void a_job_that_restores_for_long_is_not_late_with_its_checkpoints() {
    flink.counts(Map.of("numRestarts", 0L, "numberOfCompletedCheckpoints", 0L));
    look(LIMITS, FlinkJobState.INITIALIZING);
    clock.forward(Duration.ofMinutes(30));
    look(LIMITS, FlinkJobState.INITIALIZING);
    clock.forward(Duration.ofMinutes(1));

    assertThat(look(LIMITS, FlinkJobState.RUNNING)).isEmpty();
  }

  private Optional<String> look(HealthLimits limits, FlinkJobState state) {
    Job job =
        new Job(
            "job-1",
            "orders",
            state,
            state == FlinkJobState.RUNNING,
            new Times(Instant.EPOCH, Instant.EPOCH),
            Optional.empty(),
            List.of());
    PollTarget target =
        new PollTarget(
            "", Endpoint.of(new ClusterRef("default", "orders")), "job-1", "a", limits, false);
    return details.of(target, Optional.of(job)).map(Unhealthy::why);
  }
}
