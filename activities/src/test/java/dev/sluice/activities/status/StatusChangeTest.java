package dev.sluice.activities.status;

import static dev.sluice.api.common.OperationState.ABORTED;
import static dev.sluice.api.common.OperationState.RUNNING;
import static dev.sluice.api.common.OperationState.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.FreezeRequest;
import dev.sluice.workflows.activity.ResourceActivities.FreezeStableRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordStateRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordStopRequest;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.activity.StableRequest;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StatusChangeTest {

  private static final Instant EIGHT = Instant.parse("2026-11-21T08:00:00Z");
  private static final Instant NINE = Instant.parse("2026-11-21T09:00:00Z");
  private static final String OLD = "{\"spec\":{},\"generation\":1}";
  private static final String NEW = "{\"spec\":{},\"generation\":2}";
  private static final String PLAN = "Upgrading to generation 2";
  private static final RecoveryStatus FIRST =
      new RecoveryStatus(1, null, RecoveryCause.JOB_MANAGER_MISSING);
  private static final StateRef SAVEPOINT = new StateRef.Savepoint("file:/s");

  @Test
  void freeze_newestSpec_isTheTarget() {
    OwnedStatus after = frozen(OwnedStatus.EMPTY, OLD, 1, false);

    assertThat(after.reconciliation().lastReconciledSpec()).isEqualTo(OLD);
    assertThat(after.reconciliation().reconciliationTimestamp()).isEqualTo(EIGHT.toEpochMilli());
    assertThat(after.reconciliation().state()).isEqualTo(ReconciliationState.UPGRADING);
    assertThat(after.operation().targetGeneration()).isEqualTo(1);
    assertThat(after.operation().message()).isEqualTo(PLAN);
    assertThat(after.operation().plan()).isEqualTo(PLAN);
    assertThat(after.operation().plannedAt()).isEqualTo(EIGHT.toString());
  }

  @Test
  void eachChange_madeAgain_changesNothing() {
    OwnedStatus frozen = upgrading();
    OwnedStatus recorded = recorded(frozen, SAVEPOINT);
    OwnedStatus back = back(frozen, 2L, RUNNING, null);
    OwnedStatus kept = back(frozen(stable(), OLD, 1, false), null, ABORTED, null);
    OwnedStatus recovering = recovering(stable(), true, 3L);

    assertThat(StatusChange.freeze(frozen, NEW, Reports.freeze(Refs.RESOURCE, 2, false), NINE))
        .isEqualTo(frozen);
    assertThat(StatusChange.record(recorded, Reports.record(Refs.RESOURCE, SAVEPOINT), NINE))
        .isEqualTo(recorded);
    assertThat(back(back, 1L, RUNNING, null)).isEqualTo(back);
    assertThat(back(kept, null, ABORTED, null)).isEqualTo(kept);
    assertThat(recovering(recovering, true, 3L)).isEqualTo(recovering);
  }

  /** What an earlier operation left since the freeze before is nothing that this one has taken. */
  @Test
  void freeze_deployedSpecByAnotherOperation_hasItsOwnTime() {
    OwnedStatus begun =
        StatusChange.freeze(stable(), OLD, Reports.freeze(Refs.RESOURCE, 1, false), NINE);

    assertThat(begun.reconciliation().reconciliationTimestamp()).isEqualTo(NINE.toEpochMilli());
    // its job was stopped since that, if at all
    assertThat(back(begun, null, RUNNING, null).reconciliation().reconciliationTimestamp())
        .isEqualTo(NINE.toEpochMilli());
  }

  @Test
  void freeze_recordedStateIsAllThereIs_keepsIt() {
    OwnedStatus before = recorded(stable(), SAVEPOINT);

    OwnedStatus after = frozen(before, NEW, 2, true);

    assertThat(after.recorded()).isEqualTo(before.recorded());
    assertThat(after.upgradeSavepointPath()).isEqualTo("file:/s");
    assertThat(after.operation().savepoint()).isEqualTo("file:/s");
  }

  /** The job that was started from it may still restart from it: its files must not go. */
  @Test
  void freeze_jobRuns_keepsWhatItWasStartedFromForItAlone() {
    OwnedStatus before = recorded(stable(), SAVEPOINT);

    OwnedStatus after = frozen(before, NEW, 2, false);

    assertThat(after.recorded()).isEqualTo(before.recorded().withOfRunningJob(true));
    assertThat(after.restorePoint()).isNull();
    assertThat(after.startedJob()).isNull();
    assertThat(after.upgradeSavepointPath()).isNull();
    assertThat(after.operation().savepoint()).isNull();
    assertThat(frozen(after, NEW, 3, false).recorded()).isEqualTo(after.recorded());
  }

  /** By another run: what it has given up stays so, and it does not end as an upgrade. */
  @Test
  void freeze_rollbackThatIsBegun_goesOn() {
    OwnedStatus abort = back(recorded(upgrading(), SAVEPOINT), 2L, RUNNING, null);
    OwnedStatus back = abort.withOperation(abort.operation().withType(OperationType.ROLLBACK));
    RunRef another = new RunRef("Rollback", "lane", "another run");

    OwnedStatus after =
        StatusChange.freeze(
            back, OLD, Reports.freeze(another, Refs.RESOURCE, 1, true, Reports.BEFORE), NINE);

    assertThat(after.operation().runId()).isEqualTo("another run");
    assertThat(after.operation().fromGeneration()).isEqualTo(2);
    assertThat(after.withOperation(back.operation())).isEqualTo(back);
  }

  @Test
  void recordStop_pendingStop_staysUntilTheStateIsRecorded() {
    PendingStop stop = new PendingStop(Refs.JOB_ID, "trigger", "2026-01-01T00:00:00Z");

    OwnedStatus stopping =
        StatusChange.recordStop(
            upgrading(), new RecordStopRequest(Refs.RESOURCE, stop, null, Reports.BEFORE), NINE);

    assertThat(stopping.pendingStop()).isEqualTo(stop);
    assertThat(stopping.operation()).isEqualTo(upgrading().operation());
    assertThat(recorded(stopping, SAVEPOINT).pendingStop()).isNull();
  }

  @Test
  void recordedEnd_staysUntilAnotherJobIsRecordedOrStable() {
    Ended end = new Ended(Refs.JOB_ID, FlinkJobState.FINISHED, SAVEPOINT, true);
    OwnedStatus ended = upgrading().withEnd(end, EIGHT);

    assertThat(ended.end()).contains(end);
    assertThat(recorded(ended, SAVEPOINT).ended()).isNull();
    assertThat(StatusChange.stable(ended, Reports.of(SUCCEEDED, "MarkStable"), NINE).ended())
        .isNull();
  }

  /** FLINK-37530: what an upgrade took was not where the next reader looked for it. */
  @Test
  void record_state_isThereForUsAndForApachesOperator() {
    OwnedStatus after = recorded(upgrading(), SAVEPOINT);

    assertThat(after.recorded())
        .isEqualTo(
            new RecordedState(
                RecordedState.Type.SAVEPOINT, "file:/s", null, Refs.JOB_ID, Refs.OTHER_JOB_ID));
    assertThat(after.upgradeSavepointPath()).isEqualTo("file:/s");
    assertThat(after.operation().savepoint()).isEqualTo("file:/s");
    assertThat(after.operation().step()).isEqualTo("DeleteCluster");
  }

  @Test
  void record_stateOfNextJob_replacesWhatTheOneBeforeWasStartedFrom() {
    OwnedStatus before = recorded(stable(), SAVEPOINT).withRedeployNonce(7L);
    StateRef taken = new StateRef.Savepoint("file:/t");

    assertThat(recorded(frozen(before, NEW, 2, false), taken).recorded())
        .isEqualTo(recorded(upgrading(), taken).recorded());
  }

  @Test
  void record_plan_isDatedWhenItIsDecided() {
    assertThat(planned(null, NINE).operation().plan()).isEqualTo(PLAN);
    assertThat(planned(null, NINE).operation().plannedAt()).isEqualTo(EIGHT.toString());
    assertThat(planned(PLAN, NINE).operation().plannedAt()).isEqualTo(EIGHT.toString());
    assertThat(planned("cancelled", NINE).operation().plan()).isEqualTo("cancelled");
    assertThat(planned("cancelled", NINE).operation().plannedAt()).isEqualTo(NINE.toString());
    assertThat(
            StatusChange.stable(planned(null, NINE), Reports.of(SUCCEEDED, "MarkStable"), NINE)
                .operation()
                .plan())
        .isEqualTo(PLAN);
  }

  @Test
  void stable_targetThatRuns_keepsTheStateForARollback() {
    OwnedStatus before = recorded(upgrading(), SAVEPOINT);

    OwnedStatus after = StatusChange.stable(before, Reports.of(SUCCEEDED, "MarkStable"), NINE);

    assertThat(after.reconciliation().lastStableSpec()).isEqualTo(NEW);
    assertThat(after.reconciliation().state()).isEqualTo(ReconciliationState.DEPLOYED);
    assertThat(after.operation().state()).isEqualTo(SUCCEEDED);
    assertThat(after.recorded()).isEqualTo(before.recorded());
    assertThat(after.upgradeSavepointPath()).isEqualTo("file:/s");
  }

  @Test
  void stable_inPlace_keepsWhatTheJobThatRunsWasStartedFrom() {
    OwnedStatus before = recorded(stable(), SAVEPOINT);
    OwnedStatus upgrading = frozen(before, NEW, 2, false);

    OwnedStatus after = inPlace(upgrading, Refs.OTHER_JOB_ID, 7L);

    assertThat(after.recorded()).isEqualTo(before.recorded().withRedeployNonce(7L));
    assertThat(after.upgradeSavepointPath()).isEqualTo("file:/s");
    assertThat(inPlace(upgrading, Refs.JOB_ID, null).recorded()).as("another job").isNull();
    assertThat(StatusChange.stable(upgrading, Reports.of(SUCCEEDED, "MarkStable"), NINE).recorded())
        .as("no job runs on")
        .isNull();
  }

  @Test
  void freezeStable_rollback_endsRolledBack() {
    OwnedStatus upgrading = recorded(upgrading(), SAVEPOINT);

    OwnedStatus back = back(upgrading, 2L, RUNNING, null);
    OwnedStatus end = StatusChange.stable(back, Reports.of(SUCCEEDED, "MarkStable"), NINE);

    assertThat(back.reconciliation().lastReconciledSpec()).isEqualTo(OLD);
    assertThat(back.reconciliation().state()).isEqualTo(ReconciliationState.ROLLING_BACK);
    assertThat(back.operation().fromGeneration()).isEqualTo(2);
    assertThat(back.recorded()).isEqualTo(upgrading.recorded());
    assertThat(end.reconciliation().state()).isEqualTo(ReconciliationState.ROLLED_BACK);
    assertThat(end.reconciliation().lastStableSpec()).isEqualTo(OLD);
  }

  @Test
  void freezeStable_stateToGoBackTo_isRecordedInTheSameWrite() {
    RestorePoint before = new RestorePoint(SAVEPOINT, Refs.JOB_ID, "0".repeat(32));

    OwnedStatus back =
        back(recorded(upgrading(), new StateRef.Savepoint("file:/other")), 2L, RUNNING, before);

    assertThat(back.reconciliation().state()).isEqualTo(ReconciliationState.ROLLING_BACK);
    assertThat(back.restorePoint()).isEqualTo(before);
    assertThat(back.operation().savepoint()).isEqualTo("file:/s");
  }

  @ParameterizedTest
  @EnumSource(
      value = OperationState.class,
      names = {"ABORTED", "SUCCEEDED"})
  void freezeStable_jobWasNotTouched_isDeployedAgain(OperationState end) {
    OwnedStatus back = back(recorded(upgrading(), SAVEPOINT), 2L, end, null);

    assertThat(back.reconciliation().lastReconciledSpec()).isEqualTo(OLD);
    assertThat(back.reconciliation().state()).isEqualTo(ReconciliationState.DEPLOYED);
    assertThat(back.recorded()).isNull();
    assertThat(back.upgradeSavepointPath()).isNull();
  }

  /** Also by a run that does not know it, because the one before was terminated. */
  @Test
  void freezeStable_jobGoesOn_wasStartedFromWhatItWasStartedFrom() {
    OwnedStatus before = recorded(stable(), SAVEPOINT);

    OwnedStatus back =
        back(frozen(frozen(before, NEW, 2, false), NEW, 3, false), 3L, ABORTED, null);

    assertThat(back.recorded()).isEqualTo(before.recorded());
    assertThat(back.upgradeSavepointPath()).isEqualTo("file:/s");
  }

  @Test
  void freezeStable_resumeIsGivenUp_keepsWhatTheSuspendedJobLeft() {
    OwnedStatus resuming = recorded(frozen(stable(), NEW, 2, true), SAVEPOINT);

    OwnedStatus back =
        StatusChange.freezeStable(resuming, 2L, true, freezeStable(ABORTED, null), NINE);

    assertThat(back.recorded()).isEqualTo(resuming.recorded());
    assertThat(back.upgradeSavepointPath()).isEqualTo("file:/s");
  }

  @Test
  void report_changesOnlyTheOperation() {
    OwnedStatus before = recorded(upgrading(), SAVEPOINT);

    OwnedStatus after = StatusChange.report(before, Reports.of(ABORTED, "Observe"), NINE);

    assertThat(after.withOperation(before.operation())).isEqualTo(before);
    assertThat(after.operation().state()).isEqualTo(ABORTED);
  }

  /** Otherwise a report of a run that was reset would say it of the next job. */
  @Test
  void report_jobIsUp_isNotedOfTheJobThatIsRecordedUntilItIsStable() {
    OwnedStatus started = recorded(upgrading(), SAVEPOINT);

    OwnedStatus up = upReported(started, Refs.OTHER_JOB_ID);
    OwnedStatus stable = StatusChange.stable(up, Reports.of(SUCCEEDED, "MarkStable"), NINE);

    assertThat(up.restorePoint().wasUp(Refs.OTHER_JOB_ID)).isTrue();
    assertThat(upReported(up, Refs.OTHER_JOB_ID)).isEqualTo(up);
    assertThat(stable.recorded()).isEqualTo(started.recorded());
    assertThat(upReported(stable, Refs.OTHER_JOB_ID).recorded()).isEqualTo(stable.recorded());
    assertThat(upReported(started, "c".repeat(32)).recorded()).isEqualTo(started.recorded());
    assertThat(upReported(started.withoutRecorded(), Refs.OTHER_JOB_ID).recorded()).isNull();
  }

  @Test
  void freezeDeployed_begins_forgetsWhatMayBeOldByNow() {
    OwnedStatus after = recovering(recorded(stable(), SAVEPOINT), true, 3L);

    assertThat(after.reconciliation().state()).isEqualTo(ReconciliationState.UPGRADING);
    assertThat(after.reconciliation().lastReconciledSpec()).isEqualTo(OLD);
    assertThat(after.restorePoint()).isNull();
    assertThat(after.recorded().path()).as("its JobManager may come back").isEqualTo("file:/s");
    assertThat(after.recovery()).isEqualTo(FIRST);
    assertThat(after.operation().fromGeneration()).as("stays given up").isEqualTo(3);
  }

  @Test
  void freezeDeployed_waits_changesNeitherSpecNorState() {
    OwnedStatus before = recorded(stable(), SAVEPOINT);

    OwnedStatus after = recovering(before, false, null);

    assertThat(after.reconciliation()).isEqualTo(before.reconciliation());
    assertThat(after.recorded()).isEqualTo(before.recorded());
    assertThat(after.recovery()).isEqualTo(FIRST);
  }

  @Test
  void freezeDeployed_provedNewestState_staysRecorded() {
    OwnedStatus before = recorded(stable(), SAVEPOINT);

    OwnedStatus after =
        StatusChange.freezeDeployed(
            before, Reports.recovery(true, null, FIRST, before.restorePoint()), NINE);

    assertThat(after.reconciliation().state()).isEqualTo(ReconciliationState.UPGRADING);
    assertThat(after.recorded()).isEqualTo(before.recorded());
    assertThat(after.upgradeSavepointPath()).isEqualTo("file:/s");
  }

  @Test
  void stable_afterRecovery_saysSinceWhenTheJobIsBackUntilTheNextUpgrade() {
    OwnedStatus begun = recovering(stable(), true, null);
    OwnedStatus back =
        StatusChange.stable(begun, Reports.recovery(true, null, FIRST).report(), NINE);
    OwnedStatus recovered = recovered(begun, SUCCEEDED);

    assertThat(back.recovery()).isEqualTo(FIRST);
    assertThat(recovered.recovery()).isEqualTo(FIRST.upSince("2026-11-21T09:00:00Z"));
    assertThat(StatusChange.stable(recovered, Reports.of(SUCCEEDED, "MarkStable"), NINE).recovery())
        .isNull();
  }

  /** That nothing is left to do does not say that the job is up. */
  @Test
  void report_endOfRecovery_doesNotSayThatTheJobIsBack() {
    OwnedStatus ended =
        StatusChange.report(
            recovering(stable(), false, null),
            Reports.of(Refs.RESOURCE, Reports.RECOVER, SUCCEEDED, "Report", 1),
            NINE);

    assertThat(ended.recovery()).isEqualTo(FIRST);
  }

  @Test
  void recovery_ofSpecBeforeTheOneThatWasGivenUp_staysRolledBack() {
    OwnedStatus begun = recovering(stable(), true, 3L);
    OwnedStatus rolledBack =
        stable()
            .withReconciliation(
                stable().reconciliation().withState(ReconciliationState.ROLLED_BACK));

    assertThat(recovered(begun, SUCCEEDED).reconciliation().state())
        .isEqualTo(ReconciliationState.ROLLED_BACK);
    assertThat(aborted(begun)).isEqualTo(ReconciliationState.ROLLED_BACK);
    assertThat(aborted(rolledBack)).isEqualTo(ReconciliationState.ROLLED_BACK);
    assertThat(aborted(stable())).isEqualTo(ReconciliationState.DEPLOYED);
  }

  private static OwnedStatus recovered(OwnedStatus before, OperationState state) {
    return StatusChange.stable(
        before, Reports.of(Refs.RESOURCE, Reports.RECOVER, state, "MarkStable", 1), NINE);
  }

  private static ReconciliationState aborted(OwnedStatus before) {
    OperationReport report =
        Reports.of(Refs.RESOURCE, Reports.RECOVER, OperationState.ABORTED, "Report", 1);
    return StatusChange.freezeStable(
            before, null, false, new FreezeStableRequest(report, null, Reports.BEFORE), NINE)
        .reconciliation()
        .state();
  }

  private static OwnedStatus recovering(
      OwnedStatus before, boolean begins, @Nullable Long givenUp) {
    return StatusChange.freezeDeployed(before, Reports.recovery(begins, givenUp, FIRST), NINE);
  }

  private static OwnedStatus back(
      OwnedStatus before,
      @Nullable Long givenUp,
      OperationState state,
      @Nullable RestorePoint recorded) {
    return StatusChange.freezeStable(before, givenUp, false, freezeStable(state, recorded), NINE);
  }

  private static FreezeStableRequest freezeStable(
      OperationState state, @Nullable RestorePoint recorded) {
    return new FreezeStableRequest(Reports.of(state, "Observe"), recorded, Reports.BEFORE);
  }

  private static OwnedStatus inPlace(OwnedStatus before, String jobId, @Nullable Long nonce) {
    return StatusChange.stable(
        before, new StableRequest(Reports.of(SUCCEEDED, "MarkStable"), jobId, true), nonce, NINE);
  }

  private static OwnedStatus upReported(OwnedStatus before, String jobId) {
    return StatusChange.report(before, Reports.of(RUNNING, "AwaitStable").withUpJob(jobId), NINE);
  }

  private static OwnedStatus planned(@Nullable String plan, Instant at) {
    RecordStateRequest it = Reports.record(Refs.RESOURCE, SAVEPOINT);
    return StatusChange.record(
        upgrading(),
        new RecordStateRequest(
            it.resource(),
            it.recorded(),
            it.step(),
            it.message(),
            it.deadlineMs(),
            it.usedRestoreFrom(),
            it.plannedFor(),
            plan),
        at);
  }

  private static OwnedStatus upgrading() {
    return frozen(stable(), NEW, 2, false);
  }

  private static OwnedStatus stable() {
    return StatusChange.stable(
        frozen(OwnedStatus.EMPTY, OLD, 1, false), Reports.of(SUCCEEDED, "MarkStable"), EIGHT);
  }

  private static OwnedStatus frozen(
      OwnedStatus before, String json, long generation, boolean keepRecorded) {
    FreezeRequest request = Reports.freeze(Refs.RESOURCE, generation, keepRecorded);
    return StatusChange.freeze(before, json, request, EIGHT);
  }

  private static OwnedStatus recorded(OwnedStatus before, StateRef state) {
    return StatusChange.record(before, Reports.record(Refs.RESOURCE, state), EIGHT);
  }
}
