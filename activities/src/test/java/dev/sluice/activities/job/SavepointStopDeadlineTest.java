package dev.sluice.activities.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.SavepointOperation;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  static Stream<Consumer<FakeFlink>> open() {
    return Stream.of(
        it -> it.savepoint(FIRST, new SavepointOperation.InProgress()),
        it -> it.job(FlinkJobState.RESTARTING, 3),
        it -> it.up(false));
  }

  @ParameterizedTest
  @MethodSource("open")
  void atTheDeadlineAnythingElseMeansThatTheOutcomeIsNotKnown(Consumer<FakeFlink> world) {
    world.accept(flink.running());

    assertThat(type(lookLate(attempt(1)))).isEqualTo(FailureType.TIMED_OUT);
    assertThat(flink.effects).isEmpty();
  }

  /** Also where an earlier trigger has failed. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aTriggerWhoseAnswerWasLostMayStillArriveAtTheDeadline(int attempt) {
    flink.running().refuse(new FlinkRestException.Unreachable("timeout", null));
    if (attempt == 2) {
      flink.savepointFailed(FIRST);
    }
    SavepointStop stop = attempt(attempt);
    clock.advance(Duration.ofMinutes(10).minusSeconds(5));
    assertThatThrownBy(() -> look(stop)).isNotNull();
    clock.advance(Duration.ofSeconds(6));

    assertThat(type(look(stop))).isEqualTo(FailureType.TIMED_OUT);
  }

  @Test
  void itWaitsForASlotAndSaysSo() {
    flink.running();
    SavepointLimiter.Slot other = limiter.slot();
    other.acquire();
    SavepointStop stop = attempt(1);

    assertThat(look(stop))
        .isEqualTo(ProbeResult.notYet("waiting for a savepoint slot: this worker takes 1 of 1"));
    assertThat(flink.effects).isEmpty();
    other.close();

    assertThat(look(stop)).isEqualTo(ProbeResult.notYet("the savepoint was triggered"));
  }

  @Test
  void flinkIsAskedSeldomWhileItWaitsForASlot() {
    flink.running();
    limiter.slot().acquire();
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
    SavepointLimiter.Slot other = limiter.slot();
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
    limiter.slot().acquire();

    look(attempt(2));

    assertThat(limiter.inUse()).isEqualTo(2);
  }
}
