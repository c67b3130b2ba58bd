package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.activity.ResourceActivities.FreezeStableRequest;
import dev.sluice.workflows.activity.StableRequest;
import dev.sluice.workflows.model.StateRef;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a job was started from that an operation has not stopped yet. */
class RunningJobStateTest {

  private static final Instant EIGHT = Instant.parse("2026-11-21T08:00:00Z");
  private static final Instant NINE = Instant.parse("2026-11-21T09:00:00Z");
  private static final String OLD = "{\"spec\":{},\"generation\":1}";
  private static final String NEW = "{\"spec\":{},\"generation\":2}";
  private static final StateRef SAVEPOINT = new StateRef.Savepoint("file:/s");

  /** The job that was started from it may still restart from it: its files must not go. */
  @Test
  void whatTheRunningJobWasStartedFromStaysKnownAndIsNotWhatTheNextOneStartsFrom() {
    OwnedStatus before = recorded(stable(), SAVEPOINT);

    OwnedStatus after = frozen(before, NEW, 2);

    assertThat(after.recorded()).isEqualTo(before.recorded().withOfRunningJob(true));
    assertThat(after.restorePoint()).isNull();
    assertThat(after.startedJob()).isNull();
    assertThat(after.upgradeSavepointPath()).isNull();
    assertThat(after.operation().savepoint()).isNull();
    assertThat(frozen(after, NEW, 3).recorded()).isEqualTo(after.recorded());
  }

  /** Also by a run that does not know it, because the one before was terminated. */
  @Test
  void aJobThatGoesOnAfterAnAbortWasStartedFromWhatItWasStartedFrom() {
    OwnedStatus before = recorded(stable(), SAVEPOINT);

    OwnedStatus back =
        StatusChange.freezeStable(
            frozen(frozen(before, NEW, 2), NEW, 3),
            3L,
            false,
            new FreezeStableRequest(
                Reports.of(OperationState.ABORTED, "Observe"), null, Reports.BEFORE),
            NINE);

    assertThat(back.recorded()).isEqualTo(before.recorded());
    assertThat(back.upgradeSavepointPath()).isEqualTo("file:/s");
  }

  @Test
  void aJobThatWasRescaledWasStartedFromWhatItWasStartedFrom() {
    OwnedStatus before = recorded(stable(), SAVEPOINT);

    OwnedStatus after = inPlace(frozen(before, NEW, 2), Refs.OTHER_JOB_ID, 7L);

    assertThat(after.recorded()).isEqualTo(before.recorded().withRedeployNonce(7L));
    assertThat(after.upgradeSavepointPath()).isEqualTo("file:/s");
  }

  @Test
  void whatAnotherJobWasStartedFromIsForgottenOnceATargetIsStable() {
    OwnedStatus upgrading = frozen(recorded(stable(), SAVEPOINT), NEW, 2);

    assertThat(inPlace(upgrading, Refs.JOB_ID, null).recorded()).isNull();
    assertThat(
            StatusChange.stable(upgrading, Reports.of(OperationState.SUCCEEDED, "MarkStable"), NINE)
                .recorded())
        .as("a target without a job that runs on, such as a suspended one")
        .isNull();
  }

  @Test
  void whatANewJobIsStartedFromTakesThePlaceOfWhatTheOneBeforeWas() {
    OwnedStatus before = recorded(stable(), SAVEPOINT).withRedeployNonce(7L);
    StateRef taken = new StateRef.Savepoint("file:/t");

    OwnedStatus after = recorded(frozen(before, NEW, 2), taken);

    assertThat(after.recorded()).isEqualTo(recorded(frozen(stable(), NEW, 2), taken).recorded());
  }

  @Test
  void aRollbackByHandStartsFromWhatTheRunningJobLeaves() {
    OwnedStatus before = recorded(stable(), SAVEPOINT);

    OwnedStatus after =
        StatusChange.freezeRevision(
            before, NEW, 2, null, Reports.of(OperationState.RUNNING, "StopJob"), NINE);

    assertThat(after.restorePoint()).isNull();
    assertThat(after.recorded()).isEqualTo(before.recorded().withOfRunningJob(true));
  }

  private static OwnedStatus inPlace(OwnedStatus before, String jobId, @Nullable Long nonce) {
    return StatusChange.stable(
        before,
        new StableRequest(Reports.of(OperationState.SUCCEEDED, "MarkStable"), jobId, true),
        nonce,
        NINE);
  }

  private static OwnedStatus stable() {
    return StatusChange.stable(
        frozen(OwnedStatus.EMPTY, OLD, 1),
        Reports.of(OperationState.SUCCEEDED, "MarkStable"),
        EIGHT);
  }

  private static OwnedStatus frozen(OwnedStatus before, String json, long generation) {
    return StatusChange.freeze(
        before, json, Reports.freeze(Refs.RESOURCE, generation, false), EIGHT);
  }

  private static OwnedStatus recorded(OwnedStatus before, StateRef state) {
    return StatusChange.record(before, Reports.record(Refs.RESOURCE, state), EIGHT);
  }
}
