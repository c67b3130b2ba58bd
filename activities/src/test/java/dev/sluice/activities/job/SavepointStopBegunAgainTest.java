package dev.sluice.activities.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.SavepointOperation;
import dev.sluice.activities.support.Stats;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.StateRef;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Without high availability a JobManager that crashes begins the job again, from what it was
 * restored from, even when the job had been stopped already: the savepoint of that stop is newer.
 */
class SavepointStopBegunAgainTest extends SavepointStopScenario {

  private static final ProbeResult<TakenState> TRIGGERED =
      ProbeResult.notYet("the savepoint was triggered");

  /** The window in which Apache's operator loses the savepoint (its PR #245). */
  @Test
  void aPersonIsAskedForTheSavepointOfBeforeTheCrash() {
    SavepointStop stop = triggered();
    jobManagerIsRestarted();

    assertThat(look(stop))
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> {
              assertThat(failed.type()).isEqualTo(FailureType.STATE_NOT_FOUND);
              assertThat(failed.retryable()).isFalse();
              assertThat(failed.message())
                  .contains("began the job again", "savepoint-ab12cd-*", "sluice.dev/restore-from");
            });
    assertThat(flink.effects).as("the job that was begun again is not stopped").hasSize(1);
  }

  @Test
  void theAttemptOfAnotherWorkerSeesItByWhenTheJobBegan() {
    SavepointStop stop = attempt(2);
    clock.advance(Duration.ofMinutes(1));
    jobManagerIsRestarted();

    assertThat(type(look(stop))).isEqualTo(FailureType.STATE_NOT_FOUND);
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void theJobThatWasBegunAgainMayHaveFailedSince() {
    SavepointStop stop = triggered();
    jobManagerIsRestarted();
    flink.job(FlinkJobState.FAILED, 0).checkpoints(Stats.none().restored("/s/older").build());

    assertThat(type(look(stop))).isEqualTo(FailureType.STATE_NOT_FOUND);
  }

  @Test
  void aSavepointThatItsJobManagerKnowsIsTaken() {
    SavepointStop stop = triggered();
    jobManagerIsRestarted();
    flink.savepoint(FIRST, new SavepointOperation.Completed(PATH));

    assertThat(state(look(stop))).isEqualTo(new StateRef.Savepoint(PATH));
  }

  @Test
  void aJobThatMerelyRestartsIsNotTakenForOneThatWasBegunAgain() {
    flink.job(FlinkJobState.RESTARTING, 3);
    SavepointStop stop = attempt(1);
    look(stop);
    clock.advance(Duration.ofMinutes(5));
    flink.running();

    assertThat(look(stop)).isEqualTo(TRIGGERED);
  }

  @Test
  void withHighAvailabilityTheJobGoesOnFromItsNewestCheckpointAndIsStoppedOnceMore() {
    configuration = Map.of("high-availability.type", "kubernetes");
    SavepointStop stop = triggered();
    jobManagerIsRestarted();

    assertThat(look(stop)).isEqualTo(TRIGGERED);
  }

  private SavepointStop triggered() {
    flink.running();
    SavepointStop stop = attempt(1);
    assertThat(look(stop)).isEqualTo(TRIGGERED);
    return stop;
  }

  private void jobManagerIsRestarted() {
    flink.restarted(clock.instant()).running();
  }
}
