package dev.sluice.activities.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.workflows.resource.FreezeRequest;
import dev.sluice.workflows.resource.RecordStateRequest;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetChangeTest {

  private static final Instant EIGHT = Instant.parse("2026-11-21T08:00:00Z");
  private static final Instant NINE = Instant.parse("2026-11-21T09:00:00Z");
  private static final FlinkDeploymentSpec NEW = Deployed.SPEC.withImage("flink:2.3");
  private static final OwnedStatus NOTHING = OwnedStatus.of(FlinkDeploymentStatus.EMPTY);

  @Test
  void theFirstTargetIsMarkedAsSuch() {
    OwnedStatus after = frozen(NOTHING, Deployed.SPEC, 1, false);

    assertThat(after.frozen().spec()).isEqualTo(Deployed.SPEC);
    assertThat(after.frozen().generation()).isEqualTo(1);
    assertThat(after.frozen().firstDeployment()).isTrue();
    assertThat(after.reconciliation().state()).isEqualTo(ReconciliationState.UPGRADING);
    assertThat(after.operation().message()).isEqualTo("to generation 1: flink:2.2, parallelism 2");
  }

  @Test
  void aCorrectedFirstTargetIsStillTheFirst() {
    OwnedStatus first = frozen(NOTHING, Deployed.SPEC, 1, false);

    assertThat(frozen(first, NEW, 2, false).frozen().firstDeployment()).isTrue();
  }

  @Test
  void freezingAgainChangesNothing() {
    OwnedStatus once = frozen(stable(), NEW, 2, false);

    OwnedStatus again = TargetChange.freeze(once, NEW, 2, Reports.freeze(Refs.ORDERS, false), NINE);

    assertThat(again).isEqualTo(once);
  }

  @Test
  void anUpgradeForgetsTheStateOfTheOneBeforeUnlessItIsAllThereIs() {
    OwnedStatus recorded = stable().withUpgradeSavepointPath("file:/old");

    assertThat(frozen(recorded, NEW, 2, false).upgradeSavepointPath()).isNull();
    assertThat(frozen(recorded, NEW, 2, true).upgradeSavepointPath()).isEqualTo("file:/old");
    assertThat(frozen(recorded, NEW, 2, true).operation().savepoint()).isEqualTo("file:/old");
  }

  @Test
  void theStateIsRecordedInBothPlaces() {
    OwnedStatus after =
        TargetChange.record(
            frozen(stable(), NEW, 2, false),
            new RecordStateRequest(Refs.ORDERS, "file:/s", "RecordState", "words", null),
            NINE);

    assertThat(after.upgradeSavepointPath()).isEqualTo("file:/s");
    assertThat(after.operation().savepoint()).isEqualTo("file:/s");
    assertThat(after.operation().step()).isEqualTo("RecordState");
    assertThat(after.operation().message()).isEqualTo("words");
  }

  @ParameterizedTest
  @CsvSource({
    "StopWithSavepoint, 2026-11-21T08:11:00Z", // ten minutes of Flink's, and one more
    "CancelJob,         2026-11-21T08:03:00Z",
    "RecordState,                           ", // short
  })
  void aFrozenTargetSaysWhenTheNextStepIsGivenUp(String step, String deadline) {
    FreezeRequest request = Reports.freeze(Refs.ORDERS, false, step);

    OwnedStatus after = TargetChange.freeze(stable(), NEW, 2, request, EIGHT);

    assertThat(after.operation().deadline()).isEqualTo(deadline);
  }

  @Test
  void aSavepointThatMayTakeLongerIsGivenUpLater() {
    FlinkDeploymentSpec patient =
        NEW.withConfiguration(NEW.configuration().with("execution.checkpointing.timeout", "1 h"));
    FreezeRequest request = Reports.freeze(Refs.ORDERS, false, "StopWithSavepoint");

    OwnedStatus after = TargetChange.freeze(stable(), patient, 2, request, EIGHT);

    assertThat(after.operation().deadline()).isEqualTo("2026-11-21T09:01:00Z");
  }

  @Test
  void freezingAgainKeepsWhenTheNextStepIsGivenUp() {
    FreezeRequest request = Reports.freeze(Refs.ORDERS, false, "CancelJob");
    OwnedStatus once = TargetChange.freeze(stable(), NEW, 2, request, EIGHT);

    assertThat(TargetChange.freeze(once, NEW, 2, request, NINE)).isEqualTo(once);
  }

  @Test
  void recordedStateSaysWhenTheNextStepIsGivenUp() {
    RecordStateRequest request =
        new RecordStateRequest(
            Refs.ORDERS, "file:/s", "DeleteCluster", "words", NINE.toEpochMilli());

    OwnedStatus after = TargetChange.record(frozen(stable(), NEW, 2, false), request, EIGHT);

    assertThat(after.operation().deadline()).isEqualTo("2026-11-21T09:00:00Z");
  }

  @Test
  void whatRunsIsGivenUpNoMore() {
    FreezeRequest request = Reports.freeze(Refs.ORDERS, false, "CancelJob");
    OwnedStatus upgrading = TargetChange.freeze(stable(), NEW, 2, request, EIGHT);

    OwnedStatus after =
        TargetChange.stable(upgrading, Reports.of("Succeeded", "MarkStable"), EIGHT);

    assertThat(after.operation().deadline()).isNull();
  }

  @Test
  void aTargetThatRunsBecomesStable() {
    OwnedStatus after =
        TargetChange.stable(
            frozen(stable(), NEW, 2, false), Reports.of("Succeeded", "MarkStable"), NINE);

    assertThat(after.stable().generation()).isEqualTo(2);
    assertThat(after.reconciliation().state()).isEqualTo(ReconciliationState.DEPLOYED);
    assertThat(after.operation().state()).isEqualTo(OperationState.SUCCEEDED);
  }

  @Test
  void aRollbackMakesTheStableSpecTheTargetAndEndsRolledBack() {
    OwnedStatus upgrading = frozen(stable(), NEW, 2, false);

    OwnedStatus back =
        TargetChange.freezeStable(upgrading, Reports.of("Running", "FreezeTarget"), NINE);
    OwnedStatus end = TargetChange.stable(back, Reports.of("Succeeded", "MarkStable"), NINE);

    assertThat(back.frozen().generation()).isEqualTo(1);
    assertThat(back.reconciliation().state()).isEqualTo(ReconciliationState.ROLLING_BACK);
    assertThat(back.operation().fromGeneration()).isEqualTo(2);
    assertThat(end.reconciliation().state()).isEqualTo(ReconciliationState.ROLLED_BACK);
    assertThat(end.stable().generation()).isEqualTo(1);
  }

  @Test
  void aRollbackBegunAgainChangesNothing() {
    OwnedStatus back =
        TargetChange.freezeStable(
            frozen(stable(), NEW, 2, false), Reports.of("Running", "FreezeTarget"), EIGHT);

    assertThat(TargetChange.freezeStable(back, Reports.of("Running", "FreezeTarget"), NINE))
        .isEqualTo(back);
  }

  @Test
  void anAbortBeforeTheJobWasTouchedIsDeployedAgainAtOnce() {
    OwnedStatus back =
        TargetChange.freezeStable(
            frozen(stable(), NEW, 2, false), Reports.of("Aborted", "Observe"), NINE);

    assertThat(back.frozen().generation()).isEqualTo(1);
    assertThat(back.reconciliation().state()).isEqualTo(ReconciliationState.DEPLOYED);
  }

  @Test
  void onlyWhatBelongsToTheWorkflowIsWritten() {
    FlinkDeploymentStatus alone = frozen(stable(), NEW, 2, false).alone();

    assertThat(alone.jobStatus()).isNull();
    assertThat(alone.conditions()).isEmpty();
    assertThat(alone.observedGeneration()).isNull();
    assertThat(alone.lifecycleState()).isNull();
  }

  private static OwnedStatus stable() {
    OwnedStatus first = frozen(NOTHING, Deployed.SPEC, 1, false);
    OwnedStatus after = TargetChange.stable(first, Reports.of("Succeeded", "MarkStable"), EIGHT);
    FrozenSpec stable = after.stable();
    assertThat(stable.generation()).isEqualTo(1);
    return after;
  }

  private static OwnedStatus frozen(
      OwnedStatus before, FlinkDeploymentSpec spec, long generation, boolean keepState) {
    FreezeRequest request = Reports.freeze(Refs.ORDERS, keepState);
    return TargetChange.freeze(before, spec, generation, request, EIGHT);
  }
}
