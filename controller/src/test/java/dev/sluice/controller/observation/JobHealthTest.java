package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controller.observation.JobHealth.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class JobHealthTest {

  private static final Instant BEGIN = Instant.parse("2026-11-21T10:00:00Z");
  private static final HealthLimits LIMITS =
      new HealthLimits(Duration.ofMinutes(2), 64, Duration.ofMinutes(20));

  private final JobHealth health = new JobHealth();

  @Test
  void aJobThatRestartsMoreOftenThanItMayIsUnhealthy() {
    assertThat(at(0, 1_000, 5)).isEmpty();
    assertThat(at(60, 1_064, 5)).isEmpty();
    assertThat(at(70, 1_065, 5)).contains("the job restarted 65 times in 70 s");
  }

  /** One that completes no checkpoints is not healed by not restarting. */
  @Test
  void onlyAJobThatRestartsTooOftenIsHealedByNotRestarting() {
    sight(0, true, 0, 5);

    assertThat(sight(60, true, 65, 5).orElseThrow().healedAfter()).isEqualTo(Duration.ofMinutes(2));
    assertThat(sight(60 + 21 * 60, true, 65, 5).orElseThrow().healedAfter()).isNull();
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

    assertThat(at(600 + 20 * 60 + 1, 0, 8))
        .contains("the job has completed no checkpoint for 20 min");
  }

  /** A job that is restarted the moment it comes up never comes up. */
  @Test
  void aJobThatRestoresForLongIsNotLateWithItsCheckpoints() {
    at(0, false, 0, 0);
    at(30 * 60, false, 0, 0);
    assertThat(at(31 * 60, true, 0, 0)).isEmpty();
    assertThat(at(50 * 60, true, 0, 0)).isEmpty();

    assertThat(at(50 * 60 + 1, true, 0, 0)).isPresent();
  }

  @Test
  void checkpointsAreNotAskedForWhereTheyAreNotWanted() {
    HealthLimits without = new HealthLimits(Duration.ofMinutes(2), 64, null);
    health.note(new Sample(BEGIN, true, 0, OptionalLong.of(7)), without);

    assertThat(
            health.note(
                new Sample(BEGIN.plusSeconds(90_000), true, 0, OptionalLong.of(7)), without))
        .isEmpty();
  }

  @Test
  void aJobWithoutCheckpointsIsNotLateWithThem() {
    health.note(new Sample(BEGIN, true, 0, OptionalLong.empty()), LIMITS);

    assertThat(
            health.note(
                new Sample(BEGIN.plusSeconds(90_000), true, 0, OptionalLong.empty()), LIMITS))
        .isEmpty();
  }

  private Optional<String> at(long seconds, long restarts, long checkpoints) {
    return at(seconds, true, restarts, checkpoints);
  }

  private Optional<String> at(long seconds, boolean up, long restarts, long checkpoints) {
    return sight(seconds, up, restarts, checkpoints).map(Unhealthy::why);
  }

  private Optional<Unhealthy> sight(long seconds, boolean up, long restarts, long checkpoints) {
    return health.note(
        new Sample(BEGIN.plusSeconds(seconds), up, restarts, OptionalLong.of(checkpoints)), LIMITS);
  }
}
