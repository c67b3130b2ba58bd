package dev.sluice.activities.status;

import static dev.sluice.api.common.OperationState.ABORTED;
import static dev.sluice.api.common.OperationState.RUNNING;
import static dev.sluice.api.common.OperationState.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.common.Savepoint;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.FreezeRequest;
import dev.sluice.workflows.activity.ResourceActivities.FreezeStableRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordStateRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordStopRequest;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StatusChangeTest {

  private static final Instant EIGHT = Instant.parse("2026-11-21T08:00:00Z");
  private static final Instant NINE = Instant.parse("2026-11-21T09:00:00Z");
  private static final String OLD = "{\"spec\":{},\"generation\":1}";
  private static final String NEW = "{\"spec\":{},\"generation\":2}";
  private static final RecoveryStatus FIRST =
      new RecoveryStatus(1, null, RecoveryCause.JOB_MANAGER_MISSING);
  private static final StateRef SAVEPOINT = new StateRef.Savepoint("file:/s");

  @Test
  void theNewestSpecBecomesTheTarget() {
    OwnedStatus after = frozen(OwnedStatus.EMPTY, OLD, 1, false);

    assertThat(after.reconciliation().lastReconciledSpec()).isEqualTo(OLD);
    assertThat(after.reconciliation().reconciliationTimestamp()).isEqualTo(EIGHT.toEpochMilli());
    assertThat(after.reconciliation().state()).isEqualTo(ReconciliationState.UPGRADING);
    assertThat(after.operation().targetGeneration()).isEqualTo(1);
    assertThat(after.operation().message()).isEqualTo("Upgrading to generation 2");
  }

  @Test
  void freezingAgainChangesNothing() {
    OwnedStatus once = frozen(stable(), NEW, 2, false);

    assertThat(StatusChange.freeze(once, NEW, Reports.freeze(Refs.RESOURCE, 2, false), NINE))
        .isEqualTo(once);
  }

  @Test
  void theRecordedStateIsKeptWhenItIsAllThereIs() {
    OwnedStatus before = recorded(stable(), SAVEPOINT);

    OwnedStatus after = frozen(before, NEW, 2, true);

    assertThat(after.recorded()).isEqualTo(before.recorded());
    assertThat(after.upgradeSavepointPath()).isEqualTo("file:/s");
    assertThat(after.operation().savepoint()).isEqualTo("file:/s");
  }

  @Test
  void recordStop_pendingStop_staysUntilTheStateIsRecorded() {
    PendingStop stop = new PendingStop(Refs.JOB_ID, "trigger", "2026-01-01T00:00:00Z");

    OwnedStatus stopping =
        StatusChange.recordStop(
            frozen(stable(), NEW, 2, false),
            new RecordStopRequest(Refs.RESOURCE, stop, null, Reports.BEFORE),
            NINE);

    assertThat(stopping.pendingStop()).isEqualTo(stop);
    assertThat(stopping.operation()).isEqualTo(frozen(stable(), NEW, 2, false).operation());
    assertThat(recorded(stopping, SAVEPOINT).pendingStop()).isNull();
  }

  /** FLINK-37530: what an upgrade took was not where the next reader looked for it. */
  @Test
  void theStateIsRecordedForUsAndForApachesOperator() {
    OwnedStatus after = recorded(frozen(stable(), NEW, 2, false), SAVEPOINT);

    assertThat(after.recorded())
        .isEqualTo(
            new RecordedState(
                RecordedState.Type.SAVEPOINT, "file:/s", null, Refs.JOB_ID, Refs.OTHER_JOB_ID));
    assertThat(after.upgradeSavepointPath()).isEqualTo("file:/s");
    assertThat(after.operation().savepoint()).isEqualTo("file:/s");
    assertThat(after.operation().step()).isEqualTo("DeleteCluster");
  }

  @Test
  void anEmptyStateIsRecordedWithItsReasonAndNoPath() {
    OwnedStatus before = recorded(frozen(stable(), NEW, 2, false), SAVEPOINT);

    OwnedStatus after = recorded(before, new StateRef.Empty("upgradeMode is stateless"));

    assertThat(after.recorded().reason()).isEqualTo("upgradeMode is stateless");
    assertThat(after.upgradeSavepointPath()).isNull();
    assertThat(after.operation().savepoint()).isNull();
  }

  @Test
  void recordingAgainChangesNothing() {
    OwnedStatus once = recorded(frozen(stable(), NEW, 2, false), SAVEPOINT);

    assertThat(StatusChange.record(once, Reports.record(Refs.RESOURCE, SAVEPOINT), NINE))
        .isEqualTo(once);
  }

  @Test
  void theSavepointOfAnOperationStaysKnownUntilTheNextOneIsTaken() {
    RecordStateRequest plain = Reports.record(Refs.RESOURCE, SAVEPOINT);
    Savepoint taken = Savepoint.ofOperation(EIGHT.toEpochMilli(), "file:/s", "NATIVE");
    OwnedStatus once =
        StatusChange.record(frozen(stable(), NEW, 2, false), Reports.with(plain, taken), EIGHT);
    assertThat(once.taken().newest()).isEqualTo(taken);
    assertThat(StatusChange.record(once, Reports.with(plain, taken), NINE)).isEqualTo(once);

    OwnedStatus later = frozen(once, NEW, 3, false);
    assertThat(later.restorePoint()).isNull();
    assertThat(StatusChange.record(later, plain, NINE).taken().newest()).isEqualTo(taken);

    Savepoint last = Savepoint.ofOperation(NINE.toEpochMilli(), "file:/t", "NATIVE");
    OperationReport report = Reports.of(RUNNING, "DeleteCluster");
    assertThat(StatusChange.report(later, report, NINE).taken().newest()).isEqualTo(taken);
    assertThat(StatusChange.report(later, report.withTaken(last), NINE).taken().newest())
        .isEqualTo(last);
  }

  @Test
  void whatIsWrittenSaysWhenTheNextStepIsGivenUp() {
    FreezeRequest freeze =
        new FreezeRequest(
            Refs.RESOURCE,
            Reports.RUN,
            2,
            1L,
            false,
            null,
            "CancelJob",
            "words",
            NINE.toEpochMilli(),
            Reports.BEFORE);
    RecordStateRequest record =
        new RecordStateRequest(
            Refs.RESOURCE,
            new RestorePoint(SAVEPOINT, null, Refs.JOB_ID),
            "DeleteCluster",
            "words",
            NINE.toEpochMilli(),
            null,
            Reports.BEFORE);

    OwnedStatus frozen = StatusChange.freeze(stable(), NEW, freeze, EIGHT);

    assertThat(frozen.operation().deadline()).isEqualTo("2026-11-21T09:00:00Z");
    assertThat(StatusChange.record(frozen, record, EIGHT).operation().deadline())
        .isEqualTo("2026-11-21T09:00:00Z");
  }

  @Test
  void aTargetThatRunsBecomesStableAndKeepsTheStateForARollback() {
    OwnedStatus before = recorded(frozen(stable(), NEW, 2, false), SAVEPOINT);

    OwnedStatus after = StatusChange.stable(before, Reports.of(SUCCEEDED, "MarkStable"), NINE);

    assertThat(after.reconciliation().lastStableSpec()).isEqualTo(NEW);
    assertThat(after.reconciliation().state()).isEqualTo(ReconciliationState.DEPLOYED);
    assertThat(after.operation().state()).isEqualTo(SUCCEEDED);
    assertThat(after.recorded()).isEqualTo(before.recorded());
    assertThat(after.upgradeSavepointPath()).isEqualTo("file:/s");
  }

  @Test
  void aRollbackMakesTheStableSpecTheTargetAndEndsRolledBack() {
    OwnedStatus upgrading = recorded(frozen(stable(), NEW, 2, false), SAVEPOINT);

    OwnedStatus back =
        StatusChange.freezeStable(
            upgrading, 2L, false, freezeStable(RUNNING, "FreezeTarget", null), NINE);
    OwnedStatus end = StatusChange.stable(back, Reports.of(SUCCEEDED, "MarkStable"), NINE);

    assertThat(back.reconciliation().lastReconciledSpec()).isEqualTo(OLD);
    assertThat(back.reconciliation().state()).isEqualTo(ReconciliationState.ROLLING_BACK);
    assertThat(back.operation().fromGeneration()).isEqualTo(2);
    assertThat(back.recorded()).isEqualTo(upgrading.recorded());
    assertThat(end.reconciliation().state()).isEqualTo(ReconciliationState.ROLLED_BACK);
    assertThat(end.reconciliation().lastStableSpec()).isEqualTo(OLD);
  }

  @Test
  void aRollbackBegunAgainChangesNothing() {
    OwnedStatus back =
        StatusChange.freezeStable(
            frozen(stable(), NEW, 2, false),
            2L,
            false,
            freezeStable(RUNNING, "FreezeTarget", null),
            EIGHT);

    assertThat(
            StatusChange.freezeStable(
                back, 1L, false, freezeStable(RUNNING, "FreezeTarget", null), NINE))
        .isEqualTo(back);
  }

  @ParameterizedTest
  @EnumSource(
      value = OperationState.class,
      names = {"ABORTED", "SUCCEEDED"})
  void aJobThatWasNeverTouchedIsDeployedAgainAtOnce(OperationState end) {
    OwnedStatus upgrading = recorded(frozen(stable(), NEW, 2, false), SAVEPOINT);

    OwnedStatus back =
        StatusChange.freezeStable(upgrading, 2L, false, freezeStable(end, "Observe", null), NINE);

    assertThat(back.reconciliation().lastReconciledSpec()).isEqualTo(OLD);
    assertThat(back.reconciliation().state()).isEqualTo(ReconciliationState.DEPLOYED);
    assertThat(back.recorded()).isNull();
    assertThat(back.upgradeSavepointPath()).isNull();
  }

  @Test
  void whatASuspendedJobLeftStaysRecordedWhenItsResumeIsGivenUp() {
    OwnedStatus resuming = recorded(frozen(stable(), NEW, 2, true), SAVEPOINT);

    OwnedStatus back =
        StatusChange.freezeStable(resuming, 2L, true, freezeStable(ABORTED, "Observe", null), NINE);

    assertThat(back.recorded()).isEqualTo(resuming.recorded());
    assertThat(back.upgradeSavepointPath()).isEqualTo("file:/s");
  }

  @Test
  void aReportChangesOnlyTheOperation() {
    OwnedStatus before = recorded(frozen(stable(), NEW, 2, false), SAVEPOINT);

    OwnedStatus after = StatusChange.report(before, Reports.of(ABORTED, "Observe"), NINE);

    assertThat(after.withOperation(before.operation())).isEqualTo(before);
    assertThat(after.operation().state()).isEqualTo(ABORTED);
  }

  @Test
  void theStateToGoBackToIsRecordedInTheSameWrite() {
    RestorePoint before = new RestorePoint(SAVEPOINT, Refs.JOB_ID, "0".repeat(32));

    OwnedStatus back =
        StatusChange.freezeStable(
            recorded(frozen(stable(), NEW, 2, false), new StateRef.Savepoint("file:/other")),
            2L,
            false,
            freezeStable(RUNNING, "CancelJob", before),
            NINE);

    assertThat(back.reconciliation().state()).isEqualTo(ReconciliationState.ROLLING_BACK);
    assertThat(back.restorePoint()).isEqualTo(before);
    assertThat(back.operation().savepoint()).isEqualTo("file:/s");
  }

  @Test
  void aRecoveryMakesTheDeployedSpecTheTargetAgainAndForgetsWhatMayBeOldByNow() {
    OwnedStatus after =
        StatusChange.freezeDeployed(
            recorded(stable(), SAVEPOINT), Reports.recovery(true, 3L, FIRST), NINE);

    assertThat(after.reconciliation().state()).isEqualTo(ReconciliationState.UPGRADING);
    assertThat(after.reconciliation().lastReconciledSpec()).isEqualTo(OLD);
    assertThat(after.restorePoint()).isNull();
    assertThat(after.recorded().path()).as("its JobManager may come back").isEqualTo("file:/s");
    assertThat(after.recovery()).isEqualTo(FIRST);
    // the newest generation stays given up
    assertThat(after.operation().fromGeneration()).isEqualTo(3);
    assertThat(
            StatusChange.freezeDeployed(
                after, Reports.recovery(true, 3L, FIRST), NINE.plusSeconds(1)))
        .isEqualTo(after);
  }

  @Test
  void aRecoveryThatWaitsChangesNeitherSpecNorState() {
    OwnedStatus before = recorded(stable(), SAVEPOINT);

    OwnedStatus after =
        StatusChange.freezeDeployed(before, Reports.recovery(false, null, FIRST), NINE);

    assertThat(after.reconciliation()).isEqualTo(before.reconciliation());
    assertThat(after.recorded()).isEqualTo(before.recorded());
    assertThat(after.recovery()).isEqualTo(FIRST);
  }

  @Test
  void theCountSaysSinceWhenTheJobIsBackAndAnUpgradeEndsIt() {
    OwnedStatus begun =
        StatusChange.freezeDeployed(stable(), Reports.recovery(true, null, FIRST), NINE);
    OwnedStatus back =
        StatusChange.stable(begun, Reports.recovery(true, null, FIRST).report(), NINE);
    OwnedStatus recovered =
        StatusChange.stable(
            begun, Reports.of(Refs.RESOURCE, Reports.RECOVER, SUCCEEDED, "MarkStable", 1), NINE);

    assertThat(back.recovery()).isEqualTo(FIRST);
    assertThat(recovered.recovery()).isEqualTo(FIRST.upSince("2026-11-21T09:00:00Z"));
    assertThat(StatusChange.stable(recovered, Reports.of(SUCCEEDED, "MarkStable"), NINE).recovery())
        .isNull();
  }

  @Test
  void whatIsProvedToBeTheNewestStateStaysRecorded() {
    OwnedStatus before = recorded(stable(), SAVEPOINT);

    OwnedStatus after =
        StatusChange.freezeDeployed(
            before,
            Reports.keeping(before.restorePoint(), Reports.recovery(true, null, FIRST)),
            NINE);

    assertThat(after.reconciliation().state()).isEqualTo(ReconciliationState.UPGRADING);
    assertThat(after.recorded()).isEqualTo(before.recorded());
    assertThat(after.upgradeSavepointPath()).isEqualTo("file:/s");
  }

  /** That nothing is left to do does not say that the job is up. */
  @Test
  void aReportAloneDoesNotSayThatTheJobIsBack() {
    OwnedStatus waits =
        StatusChange.freezeDeployed(stable(), Reports.recovery(false, null, FIRST), NINE);

    OwnedStatus ended =
        StatusChange.report(
            waits, Reports.of(Refs.RESOURCE, Reports.RECOVER, SUCCEEDED, "Report", 1), NINE);

    assertThat(ended.recovery()).isEqualTo(FIRST);
  }

  @Test
  void aSpecThatWasGivenUpStaysSoWhenTheOneBeforeItIsRecovered() {
    OwnedStatus begun =
        StatusChange.freezeDeployed(stable(), Reports.recovery(true, 3L, FIRST), NINE);

    assertThat(ended(begun, SUCCEEDED).reconciliation().state())
        .isEqualTo(ReconciliationState.ROLLED_BACK);
    assertThat(aborted(begun).reconciliation().state()).isEqualTo(ReconciliationState.ROLLED_BACK);
  }

  @Test
  void aRecoveryThatIsAbortedBeforeItHasBegunLeavesTheResourceRolledBack() {
    OwnedStatus stable = stable();
    OwnedStatus rolledBack =
        stable.withReconciliation(
            stable.reconciliation().withState(ReconciliationState.ROLLED_BACK));

    assertThat(aborted(rolledBack).reconciliation().state())
        .isEqualTo(ReconciliationState.ROLLED_BACK);
    assertThat(aborted(stable).reconciliation().state()).isEqualTo(ReconciliationState.DEPLOYED);
  }

  private static OwnedStatus ended(OwnedStatus before, OperationState state) {
    return StatusChange.stable(
        before, Reports.of(Refs.RESOURCE, Reports.RECOVER, state, "MarkStable", 1), NINE);
  }

  private static OwnedStatus aborted(OwnedStatus before) {
    return StatusChange.freezeStable(
        before,
        null,
        false,
        new FreezeStableRequest(
            Reports.of(Refs.RESOURCE, Reports.RECOVER, OperationState.ABORTED, "Report", 1),
            null,
            Reports.BEFORE),
        NINE);
  }

  private static FreezeStableRequest freezeStable(
      OperationState state, String step, RestorePoint recorded) {
    return new FreezeStableRequest(Reports.of(state, step), recorded, Reports.BEFORE);
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
