package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Times;
import dev.sluice.controller.observation.ObservedJob.Unhealthy;
import dev.sluice.controller.observation.PollTarget.HealthLimits;
import dev.sluice.controller.support.FakeFlink;
import dev.sluice.controller.support.MovableClock;
import dev.sluice.workflows.model.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobHealthTest {

  private static final Instant BEGIN = Instant.parse("2026-11-21T10:00:00Z");

  private final MovableClock clock = new MovableClock(BEGIN);
  private final FakeFlink flink = new FakeFlink();
  private final JobHealth health = new JobHealth(flink.client(), clock);
  private HealthLimits limits = new HealthLimits(Duration.ofMinutes(2), 64, Duration.ofMinutes(20));

  @Test
  void aJobWhoseHealthNobodyWantsToKnowIsNotAsked() {
    limits = null;

    assertThat(look(FlinkJobState.RUNNING)).isEmpty();
    assertThat(flink.metricsAsked()).isZero();
  }

  /** FLINK-39507. */
  @Test
  void aJobThatHasEndedIsNotAsked() {
    assertThat(look(FlinkJobState.FINISHED)).isEmpty();
    assertThat(look(FlinkJobState.FAILED)).isEmpty();
    assertThat(flink.metricsAsked()).isZero();
  }

  @Test
  void itIsAskedSeldomHoweverOftenTheClusterIsPolled() {
    for (int i = 0; i < 21; i++) {
      look(FlinkJobState.RUNNING);
      clock.forward(Duration.ofSeconds(1));
    }

    assertThat(flink.metricsAsked()).isEqualTo(3);
  }

  @Test
  void whatIsWrongIsSaidUntilItIsSoNoMore() {
    flink.counts(Map.of("numRestarts", 0L, "numberOfCompletedCheckpoints", 3L));
    look(FlinkJobState.RUNNING);
    clock.forward(Duration.ofSeconds(10));
    flink.counts(Map.of("numRestarts", 65L, "numberOfCompletedCheckpoints", 3L));

    assertThat(look(FlinkJobState.RESTARTING)).isPresent();
    clock.forward(Duration.ofSeconds(1));
    assertThat(look(FlinkJobState.RUNNING)).isPresent();
    clock.forward(Duration.ofMinutes(3));
    assertThat(look(FlinkJobState.RUNNING)).isEmpty();
  }

  @Test
  void aJobThatRestartsMoreOftenThanItMayIsUnhealthy() {
    assertThat(at(0, 1_000, 5)).isEmpty();
    assertThat(at(60, 1_064, 5)).isEmpty();
    assertThat(at(70, 1_065, 5)).contains("the job restarted 65 times in 70 s");
  }

  /** One that completes no checkpoints is not healed by not restarting. */
  @Test
  void onlyAJobThatRestartsTooOftenIsHealedByNotRestarting() {
    at(0, 0, 5);

    assertThat(sight(60, FlinkJobState.RUNNING, 65, 5).orElseThrow().healedAfter())
        .isEqualTo(Duration.ofMinutes(2));
    assertThat(sight(60 + 21 * 60, FlinkJobState.RUNNING, 65, 5).orElseThrow().healedAfter())
        .isNull();
  }

  @Test
  void restartsThatAreLongAgoDoNotCount() {
    at(0, 0, 5);
    at(60, 60, 5);
    at(130, 60, 5);

    assertThat(at(190, 80, 5)).isEmpty();
  }

  @Test
  void aJobThatHasRecoveredIsHealthyAgain() {
    at(0, 0, 5);
    assertThat(at(60, 65, 5)).isPresent();

    assertThat(at(181, 65, 5)).isEmpty();
  }

  /** The first look finds whatever the job has counted before. */
  @Test
  void aControllerThatWasRestartedBeginsItsWindowsAnew() {
    assertThat(at(0, 5_000, 0)).isEmpty();
    assertThat(at(19 * 60, 5_000, 0)).isEmpty();
  }

  @Test
  void countersThatGoBackBeginTheWindowsAnew() {
    at(0, 0, 90);
    at(60, 64, 90);

    assertThat(at(70, 10, 0)).isEmpty();
    assertThat(at(80, 74, 0)).isEmpty();
    assertThat(at(90, 75, 0)).contains("the job restarted 65 times in 20 s");
  }

  @Test
  void aJobThatCompletesNoCheckpointIsUnhealthy() {
    at(0, 0, 7);
    at(600, 0, 8);
    assertThat(at(600 + 20 * 60, 0, 8)).isEmpty();

    assertThat(at(600 + 20 * 60 + 10, 0, 8))
        .contains("the job has completed no checkpoint for 20 min");
  }

  /** A job that is restarted the moment it comes up never comes up. */
  @Test
  void aJobThatRestoresForLongIsNotLateWithItsCheckpoints() {
    at(0, FlinkJobState.INITIALIZING, 0, 0);
    at(30 * 60, FlinkJobState.INITIALIZING, 0, 0);
    assertThat(at(31 * 60, 0, 0)).isEmpty();
    assertThat(at(50 * 60, 0, 0)).isEmpty();

    assertThat(at(50 * 60 + 10, 0, 0)).isPresent();
  }

  @Test
  void checkpointsAreNotAskedForWhereTheyAreNotWanted() {
    limits = new HealthLimits(Duration.ofMinutes(2), 64, null);
    at(0, 0, 7);

    assertThat(at(90_000, 0, 7)).isEmpty();
  }

  @Test
  void aJobWithoutCheckpointsIsNotLateWithThem() {
    flink.counts(Map.of("numRestarts", 0L));
    look(FlinkJobState.RUNNING);
    clock.forward(Duration.ofSeconds(90_000));

    assertThat(look(FlinkJobState.RUNNING)).isEmpty();
  }

  private Optional<String> at(long seconds, long restarts, long checkpoints) {
    return at(seconds, FlinkJobState.RUNNING, restarts, checkpoints);
  }

  private Optional<String> at(long seconds, FlinkJobState state, long restarts, long checkpoints) {
    return sight(seconds, state, restarts, checkpoints).map(Unhealthy::why);
  }

  /** A look that long after the first one, at least 10 s after the one before. */
  private Optional<Unhealthy> sight(
      long seconds, FlinkJobState state, long restarts, long checkpoints) {
    clock.forward(Duration.between(clock.instant(), BEGIN.plusSeconds(seconds)));
    flink.counts(Map.of("numRestarts", restarts, "numberOfCompletedCheckpoints", checkpoints));
    return look(state);
  }

  private Optional<Unhealthy> look(FlinkJobState state) {
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
            Endpoint.of(new ClusterRef("default", "orders")), "job-1", "a", limits, false);
    return health.of(target, Optional.of(job));
  }
}
