package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.SavepointOperation;
import dev.sluice.api.snapshot.SavepointFormatType;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.workflows.snapshot.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SnapshotTakeTest extends SnapshotTakeScenario {

  @Test
  void aSavepointIsTriggeredOnceAndFollowed() {
    SnapshotTake take = attempt(true);

    assertThat(look(take)).isInstanceOf(ProbeResult.NotYet.class);
    assertThat(look(take)).isInstanceOf(ProbeResult.NotYet.class);
    flink.savepoint(ID, new SavepointOperation.Completed(PATH));

    assertThat(outcome(look(take))).isInstanceOf(Outcome.Taken.class);
    assertThat(flink.effects).containsExactly("savepoint " + ID + " to null CANONICAL");
  }

  @Test
  void directoryAndFormatAreThoseOfTheSpec() {
    spec = new SavepointSpec("s3://bucket/there", SavepointFormatType.NATIVE, null, null);

    look(attempt(true));

    assertThat(flink.effects).containsExactly("savepoint " + ID + " to s3://bucket/there NATIVE");
  }

  @Test
  void whatAnEarlierWorkerTriggeredIsTakenOver() {
    flink.savepoint(ID, new SavepointOperation.InProgress());
    SnapshotTake take = attempt(true);

    look(take);
    assertThat(limiter.inUse()).as("it counts, though this worker did not trigger it").isEqualTo(1);
    flink.savepoint(ID, new SavepointOperation.Completed(PATH));

    assertThat(outcome(look(take))).isEqualTo(new Outcome.Taken(PATH, "savepoint"));
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aTriggerThatWasNeverSentIsSentByTheNextWorker() {
    look(attempt(true));

    assertThat(flink.effects).hasSize(1);
  }

  /** W4: REST error while polling a savepoint triggers a second savepoint. */
  @Test
  void w4NoAnswerWhileItIsTakenTriggersNothing() {
    SnapshotTake take = attempt(true);
    look(take);
    flink.up(false);

    assertThatThrownBy(() -> take.look(LEASED)).isInstanceOf(FlinkRestException.Unreachable.class);
    flink.up(true);
    look(take);

    assertThat(flink.effects).hasSize(1);
  }

  @Test
  void noAnswerUntilTheDeadlineIsUnknownAndNotFailed() {
    SnapshotTake take = attempt(true);
    look(take);
    flink.up(false);
    clock.advance(Duration.ofMinutes(11));

    assertThat(outcome(look(take))).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void aSavepointThatItsJobManagerForgotWhileItWasTakenHasFailed() {
    SnapshotTake take = attempt(true);
    look(take);
    flink.restarted(Instant.parse("2026-11-21T08:01:00Z")).running();

    Outcome lost = outcome(look(take));

    assertThat(lost).isInstanceOf(Outcome.Failed.class);
    assertThat(((Outcome.Failed) lost).inDoubt()).isTrue();
    assertThat(((Outcome.Failed) lost).why())
        .isEqualTo(
            "the JobManager was restarted while the savepoint was being taken, and it is not known"
                + " whether it was completed; if it was completed, it is in s3://there");
    assertThat(flink.effects).hasSize(1);
  }

  /** Else a disposal would report success, and the files stay. */
  @Test
  void aLastLookDoesNotCallWhatItsJobManagerForgotAFailure() {
    flink.savepoint(ID, new SavepointOperation.InProgress());
    SnapshotTake take = attempt(false);
    look(take);
    flink.restarted(Instant.parse("2026-11-21T08:01:00Z")).running();

    Outcome lost = outcome(look(take));

    assertThat(lost).isInstanceOf(Outcome.NoJob.class);
    assertThat(((Outcome.NoJob) lost).why()).endsWith("it is not known whether it was completed");
  }

  @Test
  void whatEndedWithAJobThatFailedIsCounted() {
    flink.savepointFailed(ID);
    stopped = () -> Optional.of(new StoppedJob.Stop("it is FAILED", true));

    assertThat(((Outcome.Failed) outcome(look(attempt(true)))).counts()).isTrue();
  }

  @Test
  void anAbortedAttemptIsWaitedForByTheNextAndItsSavepointIsNotTaken() {
    flink.savepoint(EARLIER, new SavepointOperation.InProgress());
    SnapshotTake take = attempt(true, EARLIER);

    look(take);
    assertThat(flink.effects).isEmpty();
    assertThat(limiter.inUse()).as("it is a savepoint in progress").isEqualTo(1);
    flink.savepoint(EARLIER, new SavepointOperation.Completed(PATH));

    assertThat(look(take)).isInstanceOf(ProbeResult.NotYet.class);
    assertThat(flink.effects).containsExactly("savepoint " + ID + " to null CANONICAL");
  }

  @Test
  void anAttemptThatFailedIsFollowedByATrigger() {
    flink.savepointFailed(EARLIER);

    look(attempt(true, EARLIER));

    assertThat(flink.effects).hasSize(1);
  }

  @Test
  void whatFlinkSaysOfAFailureIsTold() {
    flink.savepointFailed(ID);

    assertThat(((Outcome.Failed) outcome(look(attempt(true)))).why()).contains("disk is full");
  }

  @Test
  void whatAnOperationEndedIsNotCounted() {
    flink.savepointFailed(ID);
    stopped = () -> Optional.of(new StoppedJob.Stop("Upgrade is at work", false));

    Outcome outcome = outcome(look(attempt(true)));

    assertThat(((Outcome.Failed) outcome).counts()).isFalse();
    assertThat(((Outcome.Failed) outcome).why()).startsWith("Upgrade is at work; ");
  }

  @Test
  void whetherItCountsIsFoundOutFirst() {
    flink.savepointFailed(ID);
    stopped =
        () -> {
          throw new IllegalStateException("away");
        };

    assertThatThrownBy(() -> attempt(true).look(LEASED)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aTriggerThatFlinkRefusesHasFailed() {
    flink.refuse(new FlinkRestException.Rejected(400, "no savepoint directory"));

    assertThat(outcome(look(attempt(true))))
        .as("it counts, or the attempts would never end")
        .isEqualTo(new Outcome.Failed("no savepoint directory", true));
  }

  @Test
  void aLastLookTriggersNothing() {
    assertThat(outcome(look(attempt(false)))).isInstanceOf(Outcome.NoJob.class);
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aLastLookWaitsForNoAttemptBeforeIt() {
    flink.savepoint(EARLIER, new SavepointOperation.InProgress());

    assertThat(outcome(look(attempt(false, EARLIER)))).isInstanceOf(Outcome.NoJob.class);
  }

  @Test
  void withoutALeaseNothingIsTriggered() {
    assertThatThrownBy(() -> attempt(true).look(() -> false))
        .isInstanceOf(ActGuard.NotLeasedException.class);
    assertThat(flink.effects).isEmpty();
  }
}
