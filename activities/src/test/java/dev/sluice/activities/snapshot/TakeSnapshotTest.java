package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.SavepointOperation;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.snapshot.SavepointFormatType;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.workflows.snapshot.SnapshotActivities.Outcome;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TakeSnapshotTest extends SnapshotTakeScenario {

  @Test
  void aSavepointIsTriggeredOnceAndFollowed() {
    TakeSnapshot take = attempt(true, true);

    assertThat(look(take)).isInstanceOf(ProbeResult.NotYet.class);
    assertThat(look(take)).isInstanceOf(ProbeResult.NotYet.class);
    flink.savepoint(ID, new SavepointOperation.Completed(PATH));

    assertThat(outcome(look(take))).isInstanceOf(Outcome.Taken.class);
    assertThat(flink.effects).containsExactly("savepoint " + ID + " to null CANONICAL");
  }

  @Test
  void directoryAndFormatAreThoseOfTheSpec() {
    spec = new SavepointSpec("s3://bucket/there", SavepointFormatType.NATIVE, null, null);

    look(attempt(true, true));

    assertThat(flink.effects).containsExactly("savepoint " + ID + " to s3://bucket/there NATIVE");
  }

  @Test
  void whatAnEarlierWorkerTriggeredIsTakenOver() {
    flink.savepoint(ID, new SavepointOperation.InProgress());
    TakeSnapshot take = attempt(false, true);

    look(take);
    assertThat(limiter.inUse()).as("it counts, though this worker did not trigger it").isEqualTo(1);
    flink.savepoint(ID, new SavepointOperation.Completed(PATH));

    assertThat(outcome(look(take))).isEqualTo(new Outcome.Taken(PATH, "savepoint"));
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void whatFlinkSaysOfAFailureIsTold() {
    flink.savepointFailed(ID);

    assertThat(((Outcome.Failed) outcome(look(attempt(true, true)))).why())
        .contains("disk is full");
  }

  @Test
  void aTriggerThatFlinkRefusesHasFailed() {
    flink.refuse(new FlinkRestException.Rejected("no savepoint directory"));

    assertThat(outcome(look(attempt(true, true))))
        .as("it counts, or the attempts would never end")
        .isEqualTo(new Outcome.Failed("no savepoint directory", true));
  }

  /** The worker that recorded the trigger is lost, and the JobManager was not restarted since. */
  @Test
  void aTriggerThatWasNeverSentIsSentByTheNextWorker() {
    assertThat(look(attempt(false, true))).isInstanceOf(ProbeResult.NotYet.class);

    assertThat(flink.effects).hasSize(1);
  }

  /** Somebody may have sent it to the JobManager before: it may have been completed. */
  @Test
  void whatTheJobManagerMayHaveForgottenIsLost() {
    flink.restarted(clock.instant().plusSeconds(1)).running();

    Outcome lost = outcome(look(attempt(false, true)));

    assertThat(lost)
        .isInstanceOfSatisfying(
            Outcome.Lost.class,
            it -> assertThat(it.why()).endsWith("; if it was completed, it is in s3://there"));
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aSavepointThatItsJobManagerForgotWhileItWasTakenIsLost() {
    TakeSnapshot take = attempt(true, true);
    look(take);
    flink.restarted(Instant.parse("2026-11-21T08:01:00Z")).running();

    assertThat(outcome(look(take))).isInstanceOf(Outcome.Lost.class);
    assertThat(flink.effects).hasSize(1);
  }

  /** Its JobManager may have received it, and been lost with the answer. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTriggerWhoseAnswerWasLostIsSentAgainOnlyToTheSameJobManager(boolean same) {
    TakeSnapshot take = attempt(true, true);
    flink.refuse(new FlinkRestException.Unreachable("no answer", new IOException("reset")));
    assertThatThrownBy(() -> look(take)).isInstanceOf(FlinkRestException.class);
    flink.refuse(null);
    if (!same) {
      flink.restarted(clock.instant().plusSeconds(1)).running();
    }

    ProbeResult<Outcome> seen = look(take);

    assertThat(flink.effects).hasSize(same ? 2 : 1);
    assertThat(seen).isInstanceOf(same ? ProbeResult.NotYet.class : ProbeResult.Done.class);
  }

  @Test
  void aLookBeforeADisposalTriggersNothing() {
    assertThat(outcome(look(attempt(true, false)))).isInstanceOf(Outcome.Lost.class);
    assertThat(flink.effects).isEmpty();
  }

  /** W4: REST error while polling a savepoint triggers a second savepoint. */
  @Test
  void w4NoAnswerWhileItIsTakenTriggersNothing() {
    TakeSnapshot take = attempt(true, true);
    look(take);
    flink.up(false);

    assertThatThrownBy(() -> look(take)).isInstanceOf(FlinkRestException.Unreachable.class);
    flink.up(true);
    look(take);

    assertThat(flink.effects).hasSize(1);
  }

  /** A savepoint that the job cannot bear must not be tried for ever. */
  @ParameterizedTest(name = "{0} {1}, {2} {3}: counts {4}, {5}")
  @CsvSource({
    ", , RUNNING, , true, disk is full",
    ", , RESTARTING, , true, disk is full",
    ", , FINISHED, , false, FINISHED",
    ", , CANCELED, , false, CANCELED",
    ", , FAILED, , true, FAILED",
    "UPGRADE, RUNNING, RUNNING, , false, Upgrade is at work on",
    "UPGRADE, RUNNING, FINISHED, , false, Upgrade is at work on",
    "UPGRADE, SUCCEEDED, RUNNING, 0123456789abcdef, false, was replaced by job 0123",
    // else a savepoint that kills its job takes it down again after each recovery
    "RECOVER, RUNNING, RUNNING, , true, Recover is at work on",
    "RECOVER, SUCCEEDED, RUNNING, 0123456789abcdef, true, was replaced by job 0123",
  })
  void whatStopsTheJobIsNoFailureOfTheSnapshot(
      @Nullable OperationType type,
      @Nullable OperationState state,
      FlinkJobState job,
      @Nullable String replacedBy,
      boolean counts,
      String why) {
    flink.savepointFailed(ID);
    flink.job(job, job == FlinkJobState.RUNNING ? 8 : 0);
    madeFor = replacedBy == null ? madeFor : replacedBy;
    if (type != null) {
      operation(type, state);
    }

    Outcome.Failed failed = (Outcome.Failed) outcome(look(attempt(true, true)));

    assertThat(failed.counts()).isEqualTo(counts);
    assertThat(failed.why()).contains(why);
  }

  @Test
  void aSilentJobManagerWhoseJobIsGoneIsNotWaitedFor() {
    TakeSnapshot take = attempt(true, true);
    flink.up(false);
    assertThatThrownBy(() -> look(take)).isInstanceOf(FlinkRestException.class);
    operation(OperationType.UPGRADE, OperationState.RUNNING);
    assertThatThrownBy(() -> look(take)).isInstanceOf(FlinkRestException.class);
    exists = false;

    assertThat(outcome(look(take)))
        .isEqualTo(
            new Outcome.Failed(
                "FlinkDeployment default/orders does not exist any more"
                    + "; if it was completed, it is in s3://there",
                false));
  }

  /** The savepoint may have taken the JobManager down with the job. */
  @ParameterizedTest
  @CsvSource({"RECOVER, RUNNING, true", "RECOVER, SUCCEEDED, true", "UPGRADE, RUNNING, false"})
  void aSilentJobManagerWhoseJobWasReplacedCountsWhereRecoverDidIt(
      OperationType type, OperationState state, boolean counts) {
    TakeSnapshot take = attempt(true, true);
    look(take);
    flink.up(false);
    madeFor = "0123456789abcdef";
    operation(type, state);

    Outcome.Failed failed = (Outcome.Failed) outcome(look(take));

    assertThat(failed.counts()).isEqualTo(counts);
    assertThat(failed.why()).contains("was replaced by job 0123");
  }

  @Test
  void withoutALeaseNothingIsTriggered() {
    TakeSnapshot take = attempt(true, true);

    assertThatThrownBy(() -> take.look(() -> false))
        .isInstanceOf(ActGuard.NotLeasedException.class);
    assertThat(flink.effects).isEmpty();
  }
}
