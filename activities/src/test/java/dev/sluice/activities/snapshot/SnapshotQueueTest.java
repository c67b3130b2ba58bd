package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.job.SavepointLimiter;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.snapshot.SnapshotActivities.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What an attempt does while others have the places for savepoints. */
class SnapshotQueueTest extends SnapshotTakeScenario {

  @Test
  void itWaitsForASlot() {
    SavepointLimiter.Slot other = limiter.slot();
    assertThat(other.acquire()).isTrue();
    TakeSnapshot take = attempt(true, true);

    assertThat(look(take).toString()).contains("1 of 1");
    assertThat(flink.effects).isEmpty();
    other.close();
    look(take);

    assertThat(flink.effects).hasSize(1);
  }

  /** Else a queue that is longer than the limit of the step would fail all that is in it. */
  @Test
  void timeInTheQueueIsNoTimeOfTheAttempt() {
    SavepointLimiter.Slot other = limiter.slot();
    assertThat(other.acquire()).isTrue();
    TakeSnapshot take = attempt(true, true);
    look(take);
    clock.advance(Duration.ofMinutes(11));

    assertThat(look(take)).isInstanceOf(ProbeResult.NotYet.class);
    other.close();
    look(take);

    assertThat(flink.effects).hasSize(1);
  }

  @Test
  void whileItQueuesFlinkIsSeldomAsked() {
    assertThat(limiter.slot().acquire()).isTrue();
    TakeSnapshot take = attempt(true, true);
    look(take);
    look(take);
    int asked = flink.requests;

    look(take);
    assertThat(flink.requests).isEqualTo(asked);
    clock.advance(Duration.ofSeconds(16));
    look(take);

    assertThat(flink.requests).isGreaterThan(asked);
  }

  /** Two hundred in the queue would hold up an upgrade, which waits for a savepoint in progress. */
  @Test
  void afterTheQueueAnOperationThatHasBegunComesFirst() {
    SavepointLimiter.Slot other = limiter.slot();
    assertThat(other.acquire()).isTrue();
    TakeSnapshot take = attempt(true, true);
    look(take);
    clock.advance(Duration.ofSeconds(1));
    operation(OperationType.UPGRADE, OperationState.RUNNING);
    other.close();

    assertThat(outcome(look(take)))
        .isEqualTo(
            new Outcome.Failed(
                "Upgrade is at work on FlinkDeployment default/orders; it was not triggered yet",
                false));
    assertThat(flink.effects).isEmpty();
  }
}
