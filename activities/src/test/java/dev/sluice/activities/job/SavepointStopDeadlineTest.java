package dev.sluice.activities.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.SavepointOperation;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What becomes of a stop at its deadline, and of one that waits for a slot. */
class SavepointStopDeadlineTest extends SavepointStopScenario {

  @Test
  void atTheDeadlineAJobThatWasNeverTriggeredRunsOn() {
    flink.job(FlinkJobState.RUNNING, 3);

    assertThat(lookLate(attempt(1)))
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> {
              assertThat(failed.type()).isEqualTo(FailureType.SAVEPOINT_FAILED);
              assertThat(failed.retryable()).isFalse();
              assertThat(failed.message()).endsWith("The job runs on");
            });
  }

  @Test
  void atTheDeadlineASavepointInProgressMeansThatTheOutcomeIsNotKnown() {
    flink.running();
    SavepointStop stop = attempt(1);
    look(stop);

    assertThat(type(lookLate(stop))).isEqualTo(FailureType.TIMED_OUT);
  }

  @Test
  void atTheDeadlineAJobThatDoesNotRunIsNotSaidToRun() {
    flink.job(FlinkJobState.RESTARTING, 3);

    ProbeResult<TakenState> seen = lookLate(attempt(1));

    assertThat(type(seen)).isEqualTo(FailureType.TIMED_OUT);
    assertThat(((ProbeResult.Failed<TakenState>) seen).message())
        .contains("RESTARTING, 3 of 8 tasks running");
  }

  @Test
  void atTheDeadlineASilentJobManagerMeansThatTheOutcomeIsNotKnown() {
    flink.running().up(false);

    assertThat(type(lookLate(attempt(1)))).isEqualTo(FailureType.TIMED_OUT);
  }

  @Test
  void aTriggerWhoseAnswerWasLostMayStillArriveAtTheDeadline() {
    flink.running().refuse(new FlinkRestException.Unreachable("timeout", null));
    SavepointStop stop = attempt(1);
    clock.advance(Duration.ofMinutes(10).minusSeconds(5));
    assertThatThrownBy(() -> look(stop)).isNotNull();
    clock.advance(Duration.ofSeconds(6));

    assertThat(type(look(stop))).isEqualTo(FailureType.TIMED_OUT);
  }

  @Test
  void anEarlierTriggerThatFailedDoesNotSettleALaterOneWhoseAnswerWasLost() {
    flink
        .running()
        .savepointFailed(FIRST)
        .refuse(new FlinkRestException.Unreachable("timeout", null));
    SavepointStop stop = attempt(2);
    clock.advance(Duration.ofMinutes(10).minusSeconds(5));
    assertThatThrownBy(() -> look(stop)).isNotNull();
    clock.advance(Duration.ofSeconds(6));

    assertThat(type(look(stop))).isEqualTo(FailureType.TIMED_OUT);
  }

  @Test
  void nothingIsTriggeredAfterTheDeadline() {
    flink.running();

    lookLate(attempt(1));

    assertThat(flink.effects).isEmpty();
  }

  @Test
  void itWaitsForASlotAndSaysSo() {
    flink.running();
    SavepointLimiter.Slot other = limiter.slot("default");
    other.acquire();
    SavepointStop stop = attempt(1);

    assertThat(look(stop))
        .isEqualTo(ProbeResult.notYet("waiting for a savepoint slot: 1 of 1 in namespace default"));
    assertThat(flink.effects).isEmpty();
    other.close();

    assertThat(look(stop)).isEqualTo(ProbeResult.notYet("the savepoint was triggered"));
  }

  @Test
  void flinkIsAskedSeldomWhileItWaitsForASlot() {
    flink.running();
    limiter.slot("default").acquire();
    SavepointStop stop = attempt(1);
    look(stop);
    int before = flink.requests;

    for (int i = 0; i < 100; i++) {
      clock.advance(Duration.ofMillis(100));
      look(stop);
    }

    assertThat(flink.requests - before).isLessThanOrEqualTo(2);
  }

  @Test
  void theTimeItWaitedForASlotDoesNotCountAgainstTheDeadline() {
    flink.running();
    SavepointLimiter.Slot other = limiter.slot("default");
    other.acquire();
    SavepointStop stop = attempt(1);
    look(stop);
    clock.advance(Duration.ofMinutes(30));
    assertThat(look(stop)).isInstanceOf(ProbeResult.NotYet.class);
    other.close();
    look(stop);
    clock.advance(Duration.ofMinutes(9));

    assertThat(look(stop)).isEqualTo(ProbeResult.notYet("the savepoint is being taken"));
    clock.advance(Duration.ofMinutes(2));
    assertThat(type(look(stop))).isEqualTo(FailureType.TIMED_OUT);
  }

  @Test
  void aSavepointInProgressTakesASlotWhateverTheLimit() {
    flink.running().savepoint(FIRST, new SavepointOperation.InProgress());
    limiter.slot("default").acquire();

    look(attempt(2));

    assertThat(limiter.inUse()).isEqualTo(2);
  }
}
