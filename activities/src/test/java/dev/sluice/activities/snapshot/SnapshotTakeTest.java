package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.CheckpointOperation;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.SavepointOperation;
import dev.sluice.activities.job.SavepointLimiter;
import dev.sluice.activities.job.SlotQueue;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.snapshot.SavepointFormatType;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.workflows.snapshot.Outcome;
import dev.sluice.workflows.snapshot.SnapshotActivities.TakeRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SnapshotTakeTest {

  private static final String ID = "00000000000000000000000000000002";
  private static final String EARLIER = "00000000000000000000000000000001";
  private static final String PATH = "file:/savepoints/savepoint-ab12cd-77";
  private static final ActGuard LEASED = () -> true;

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink().running();
  private final SavepointLimiter limiter = new SavepointLimiter(1, 1);
  private SavepointSpec spec = new SavepointSpec(null, null, null, null);
  private CheckpointType checkpointType = CheckpointType.FULL;
  private Optional<String> found = Optional.empty();
  private int searches;
  private CompletableFuture<Optional<StoppedJob.Stop>> stopped =
      CompletableFuture.completedFuture(Optional.empty());

  private SnapshotTake attempt(boolean fresh, boolean mayTrigger, String earlier) {
    return new SnapshotTake(
        new TakeRequest(
            Jobs.RESOURCE,
            new Trigger(ID, FakeFlink.JOB, clock.millis()),
            earlier,
            mayTrigger,
            clock.in(Duration.ofMinutes(10))),
        new SnapshotCalls(flink, Jobs.ENDPOINT, FakeFlink.JOB, spec, checkpointType),
        () -> {
          searches++;
          return CompletableFuture.completedFuture(found);
        },
        failure -> stopped,
        "; if it was completed, it is in s3://there",
        fresh,
        new SlotQueue(limiter.slot("default", () -> {}), 0, clock),
        clock);
  }

  private static Outcome outcome(ProbeResult<Outcome> result) {
    assertThat(result).isInstanceOf(ProbeResult.Done.class);
    return ((ProbeResult.Done<Outcome>) result).result();
  }

  private static ProbeResult<Outcome> look(SnapshotTake take) {
    return take.look(LEASED).join();
  }

  @Test
  void aSavepointIsTriggeredOnceAndFollowed() {
    SnapshotTake take = attempt(true, true, null);

    assertThat(look(take)).isInstanceOf(ProbeResult.NotYet.class);
    assertThat(look(take)).isInstanceOf(ProbeResult.NotYet.class);
    flink.savepoint(ID, new SavepointOperation.Completed(PATH));

    assertThat(outcome(look(take))).isInstanceOf(Outcome.Taken.class);
    assertThat(flink.effects).containsExactly("savepoint " + ID + " to null CANONICAL");
    assertThat(searches).isZero();
  }

  @Test
  void directoryAndFormatAreThoseOfTheSpec() {
    spec = new SavepointSpec("s3://bucket/there", SavepointFormatType.NATIVE, null, null);

    look(attempt(true, true, null));

    assertThat(flink.effects).containsExactly("savepoint " + ID + " to s3://bucket/there NATIVE");
  }

  @Test
  void whatAnEarlierWorkerTriggeredIsTakenOver() {
    flink.savepoint(ID, new SavepointOperation.InProgress());
    SnapshotTake take = attempt(false, true, null);

    look(take);
    flink.savepoint(ID, new SavepointOperation.Completed(PATH));

    assertThat(outcome(look(take))).isEqualTo(new Outcome.Taken(PATH, "savepoint", false));
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void whatFlinkHasForgottenIsLookedForBeforeItIsTriggeredAgain() {
    found = Optional.of(PATH);

    Outcome outcome = outcome(look(attempt(false, true, null)));

    assertThat(outcome).isInstanceOf(Outcome.Taken.class);
    assertThat(((Outcome.Taken) outcome).path()).isEqualTo(PATH);
    assertThat(((Outcome.Taken) outcome).adopted()).as("perhaps of somebody else").isTrue();
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void whatIsKnownByItsTriggerIsNotAdopted() {
    flink.savepoint(ID, new SavepointOperation.Completed(PATH));

    assertThat(((Outcome.Taken) outcome(look(attempt(false, true, null)))).adopted()).isFalse();
  }

  @Test
  void aTriggerThatWasNeverSentIsSentByTheNextWorker() {
    look(attempt(false, true, null));

    assertThat(searches).isEqualTo(1);
    assertThat(flink.effects).hasSize(1);
  }

  /** W4: REST error while polling a savepoint triggers a second savepoint. */
  @Test
  void w4NoAnswerWhileItIsTakenTriggersNothing() {
    SnapshotTake take = attempt(true, true, null);
    look(take);
    flink.up(false);

    assertThat(take.look(LEASED))
        .failsWithin(Duration.ofSeconds(1))
        .withThrowableThat()
        .withRootCauseInstanceOf(FlinkRestException.Unreachable.class);
    flink.up(true);
    look(take);

    assertThat(flink.effects).hasSize(1);
  }

  @Test
  void noAnswerUntilTheDeadlineIsUnknownAndNotFailed() {
    SnapshotTake take = attempt(true, true, null);
    look(take);
    flink.up(false);
    clock.advance(Duration.ofMinutes(11));

    assertThat(outcome(look(take))).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void aSavepointThatItsJobManagerForgotWhileItWasTakenHasFailedUnlessItIsFound() {
    SnapshotTake take = attempt(true, true, null);
    look(take);
    flink.restarted(Instant.parse("2026-11-21T08:01:00Z")).running();

    Outcome lost = outcome(look(take));

    assertThat(lost).isInstanceOf(Outcome.Failed.class);
    assertThat(((Outcome.Failed) lost).inDoubt()).isTrue();
    assertThat(((Outcome.Failed) lost).why())
        .isEqualTo(
            "the JobManager was restarted while the savepoint was being taken, and it is not known"
                + " whether it was completed; if it was completed, it is in s3://there");
    assertThat(searches).isEqualTo(1);
    assertThat(flink.effects).hasSize(1);
  }

  /** Else a disposal would report success, and the files stay. */
  @Test
  void aLastLookDoesNotCallWhatItsJobManagerForgotAFailure() {
    flink.savepoint(ID, new SavepointOperation.InProgress());
    SnapshotTake take = attempt(false, false, null);
    look(take);
    flink.restarted(Instant.parse("2026-11-21T08:01:00Z")).running();

    Outcome lost = outcome(look(take));

    assertThat(lost).isInstanceOf(Outcome.NoJob.class);
    assertThat(((Outcome.NoJob) lost).why()).endsWith("it is not known whether it was completed");
  }

  @Test
  void whatEndedWithAJobThatFailedIsCounted() {
    flink.savepointFailed(ID);
    stopped =
        CompletableFuture.completedFuture(Optional.of(new StoppedJob.Stop("it is FAILED", true)));

    assertThat(((Outcome.Failed) outcome(look(attempt(true, true, null)))).counts()).isTrue();
  }

  @Test
  void aSavepointThatWasCompletedBeforeItsJobManagerForgotItIsFound() {
    SnapshotTake take = attempt(true, true, null);
    look(take);
    flink.restarted(Instant.parse("2026-11-21T08:01:00Z")).running();
    found = Optional.of(PATH);

    assertThat(outcome(look(take))).isInstanceOf(Outcome.Taken.class);
  }

  @Test
  void anAbortedAttemptIsWaitedForByTheNextAndItsSavepointIsNotTaken() {
    flink.savepoint(EARLIER, new SavepointOperation.InProgress());
    SnapshotTake take = attempt(true, true, EARLIER);

    look(take);
    assertThat(flink.effects).isEmpty();
    flink.savepoint(EARLIER, new SavepointOperation.Completed(PATH));

    assertThat(look(take)).isInstanceOf(ProbeResult.NotYet.class);
    assertThat(flink.effects).containsExactly("savepoint " + ID + " to null CANONICAL");
  }

  @Test
  void anAttemptThatFailedIsFollowedByATrigger() {
    flink.savepointFailed(EARLIER);

    look(attempt(true, true, EARLIER));

    assertThat(flink.effects).hasSize(1);
  }

  @Test
  void whatFlinkSaysOfAFailureIsTold() {
    flink.savepointFailed(ID);

    assertThat(((Outcome.Failed) outcome(look(attempt(true, true, null)))).why())
        .contains("disk is full");
  }

  @Test
  void whatAnOperationEndedIsNotCounted() {
    flink.savepointFailed(ID);
    stopped =
        CompletableFuture.completedFuture(
            Optional.of(new StoppedJob.Stop("Upgrade is at work", false)));

    Outcome outcome = outcome(look(attempt(true, true, null)));

    assertThat(((Outcome.Failed) outcome).counts()).isFalse();
    assertThat(((Outcome.Failed) outcome).why()).startsWith("Upgrade is at work; ");
  }

  @Test
  void whetherItCountsIsFoundOutFirst() {
    flink.savepointFailed(ID);
    stopped = CompletableFuture.failedFuture(new IllegalStateException("away"));

    assertThat(attempt(true, true, null).look(LEASED)).isCompletedExceptionally();
  }

  @Test
  void aTriggerThatFlinkRefusesHasFailed() {
    flink.refuse(new FlinkRestException.Rejected(400, "no savepoint directory"));

    assertThat(((Outcome.Failed) outcome(look(attempt(true, true, null)))).why())
        .isEqualTo("no savepoint directory");
  }

  @Test
  void aLastLookTriggersNothing() {
    assertThat(outcome(look(attempt(false, false, null)))).isInstanceOf(Outcome.NoJob.class);
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void withoutALeaseNothingIsTriggered() {
    assertThat(attempt(true, true, null).look(() -> false))
        .isCompletedExceptionally()
        .failsWithin(Duration.ofSeconds(1))
        .withThrowableOfType(ExecutionException.class);
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void itWaitsForASlot() {
    SavepointLimiter.Slot other = limiter.slot("default", () -> {});
    assertThat(other.acquire()).isTrue();
    SnapshotTake take = attempt(true, true, null);

    assertThat(look(take).toString()).contains("1 of 1 in namespace");
    assertThat(flink.effects).isEmpty();
    other.release();
    look(take);

    assertThat(flink.effects).hasSize(1);
  }

  /** Two hundred in the queue would hold up an upgrade, which waits for a savepoint in progress. */
  @Test
  void afterTheQueueAnOperationThatHasBegunComesFirst() {
    SavepointLimiter.Slot other = limiter.slot("default", () -> {});
    assertThat(other.acquire()).isTrue();
    SnapshotTake take = attempt(true, true, null);
    look(take);
    clock.advance(Duration.ofSeconds(1));
    stopped =
        CompletableFuture.completedFuture(
            Optional.of(new StoppedJob.Stop("Upgrade is at work", false)));
    other.release();

    assertThat(outcome(look(take)))
        .as("certainly not sent, so nothing that lies there since is adopted")
        .isEqualTo(new Outcome.Failed("Upgrade is at work; it still queued", false));
    assertThat(flink.effects).isEmpty();
  }

  /** An upgrade that stops its job with a savepoint must not wait for checkpoints. */
  @Test
  void aCheckpointTakesNoSavepointSlot() {
    spec = null;
    SnapshotTake take = attempt(true, true, EARLIER);
    flink.checkpoint(EARLIER, new CheckpointOperation.InProgress());

    look(take);
    assertThat(limiter.inUse()).isZero();
    flink.checkpoint(EARLIER, new CheckpointOperation.Completed(23));
    look(take);
    look(take);

    assertThat(flink.effects).containsExactly("checkpoint " + ID + " FULL");
    assertThat(limiter.inUse()).isZero();
  }

  @Test
  void aCheckpointWaitsForNoSavepoint() {
    spec = null;
    assertThat(limiter.slot("default", () -> {}).acquire()).isTrue();

    look(attempt(true, true, null));

    assertThat(flink.effects).containsExactly("checkpoint " + ID + " FULL");
  }

  @Test
  void aCheckpointHasThePathThatFlinkTellsOfItsId() {
    spec = null;
    SnapshotTake take = attempt(true, true, null);
    look(take);
    flink.checkpoint(ID, new CheckpointOperation.Completed(24));
    assertThat(look(take)).as("the statistics are late").isInstanceOf(ProbeResult.NotYet.class);

    flink.completed(
        new Checkpoints.Completed(
            24, Checkpoints.Kind.CHECKPOINT, Optional.of("file:/chk-24"), false, Instant.EPOCH));

    assertThat(((Outcome.Taken) outcome(look(take))).path()).isEqualTo("file:/chk-24");
    assertThat(flink.effects).containsExactly("checkpoint " + ID + " FULL");
  }

  @ParameterizedTest
  @EnumSource
  void aCheckpointIsOfTheTypeThatIsAskedFor(CheckpointType type) {
    spec = null;
    checkpointType = type;

    look(attempt(true, true, null));

    assertThat(flink.effects).containsExactly("checkpoint " + ID + " " + type);
  }

  @Test
  void aCheckpointWhosePathFlinkDoesNotTellIsTakenAllTheSame() {
    spec = null;
    SnapshotTake take = attempt(true, true, null);
    look(take);
    flink.checkpoint(ID, new CheckpointOperation.Completed(24));
    look(take);
    clock.advance(Duration.ofSeconds(30));

    assertThat(((Outcome.Taken) outcome(look(take))).path()).isNull();
  }
}
