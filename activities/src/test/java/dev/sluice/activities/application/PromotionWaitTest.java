package dev.sluice.activities.application;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.application.ApplicationActivities.PromotionRequest;
import dev.sluice.workflows.application.ApplicationSeen.PromotionGates;
import dev.sluice.workflows.application.PromotionOutcome;
import dev.sluice.workflows.application.PromotionOutcome.Failed;
import dev.sluice.workflows.application.PromotionOutcome.Passed;
import dev.sluice.workflows.application.PromotionOutcome.Waiting;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PromotionWaitTest {

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink().running();

  private ProbeResult<PromotionOutcome> look(int completed, Duration unchanged) {
    ran(completed, unchanged);
    return wait(Duration.ofHours(1)).look();
  }

  private void ran(int completed, Duration unchanged) {
    flink.checkpoints(Applications.statistics(completed, Optional.empty()));
    flink.unchangedSince(clock.instant().minus(unchanged), clock.instant());
  }

  private PromotionWait wait(Duration atMost) {
    return new PromotionWait(
        new PromotionRequest(Applications.request(clock.in(atMost)), new PromotionGates(60_000, 3)),
        Applications.version(),
        JOB,
        flink,
        clock);
  }

  @Test
  void aJobThatRanForLongAndCompletedCheckpointsHasPassed() {
    ran(3, Duration.ofMinutes(1));

    assertThat(outcome(wait(Duration.ofHours(1))))
        .isEqualTo(new Passed("60 s without a restart, 3 checkpoints"));
  }

  @Test
  void aJobThatWasStartedAgainWaitsAnew() {
    assertThat(look(3, Duration.ofSeconds(59)))
        .isEqualTo(ProbeResult.notYet("up for 59 s of 60 s"));
  }

  @Test
  void aJobWithoutEnoughCheckpointsWaits() {
    assertThat(look(2, Duration.ofMinutes(5))).isEqualTo(ProbeResult.notYet("2 of 3 checkpoints"));
  }

  @Test
  void aJobThatHasFailedFails() {
    flink.job(FlinkJobState.FAILED, 0);

    assertThat(outcome(wait(Duration.ofHours(1)))).isInstanceOf(Failed.class);
  }

  @Test
  void aJobThatIsThroughHasPassed() {
    flink.job(FlinkJobState.FINISHED, 0);

    assertThat(outcome(wait(Duration.ofHours(1)))).isInstanceOf(Passed.class);
  }

  @Test
  void atTheDeadlineItStillWaits() {
    flink.up(false);

    assertThat(outcome(wait(Duration.ZERO))).isInstanceOf(Waiting.class);
  }

  private static PromotionOutcome outcome(PromotionWait wait) {
    return ((ProbeResult.Done<PromotionOutcome>) wait.look()).result();
  }
}
