package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.ResourceActivities.FreezeStableRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordStateRequest;
import dev.sluice.workflows.activity.StableRequest;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.Standing;
import dev.sluice.workflows.model.StateRef;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResourceActivitiesIT extends ActivitiesScenario {

  /** A call that comes late must not say of the next operation from what it starts. */
  @Test
  void nothingIsRecordedUnlessAnOperationIsBegun() {
    assertThat(failure(() -> recordState())).isEqualTo(FailureType.OUTDATED);
    assertThat(read().getStatus().recordedState()).isNull();
  }

  @Test
  void theAnnotationThatDecidedIsTakenAway() {
    freeze(1);
    annotate(Annotations.RESTORE_FROM, "file:/s");

    recordChosen("file:/s");
    recordChosen("file:/s");

    assertThat(annotations()).isEmpty();
    assertThat(read().getStatus().recordedState())
        .isEqualTo(
            new RecordedState(
                RecordedState.Type.SAVEPOINT, "file:/s", null, Refs.JOB_ID, Refs.OTHER_JOB_ID));
  }

  @Test
  void anAnnotationThatSaysSomethingElseByNowIsAnotherRequest() {
    freeze(1);
    annotate(Annotations.RESTORE_FROM, "empty");

    recordChosen("file:/s");

    assertThat(annotations()).containsEntry(Annotations.RESTORE_FROM, "empty");
  }

  /** A call that comes late must not say of the next target that it runs. */
  @Test
  void anotherTargetThatWasFrozenSinceIsNotMarkedStable() {
    freeze(1);
    change(spec -> spec.withImage("flink:2.3"));
    freeze(2);

    assertThat(failure(() -> markStable(1, Refs.OTHER_JOB_ID))).isEqualTo(FailureType.OUTDATED);
    assertThat(lastStable()).isNull();
  }

  @Test
  void aJobThatIsNotTheRecordedOneDoesNotMakeItsTargetStable() {
    freeze(1);
    recordState();

    assertThat(failure(() -> markStable(1, Refs.JOB_ID))).isEqualTo(FailureType.OUTDATED);
    assertThat(lastStable()).isNull();
  }

  @Test
  void aJobThatWasNeverStoppedMakesItsTargetStableOnce() {
    freeze(1);

    activities.markStable(inPlace());
    activities.markStable(inPlace()); // its answer was lost

    assertThat(lastStable().generation()).isEqualTo(1);
  }

  private FrozenSpec lastStable() {
    return FrozenSpec.parseNullable(read().getStatus().reconciliationStatus().lastStableSpec());
  }

  @Test
  void aRescaleThatIsResetDoesNotStartAgainWhatWasAbortedSince() {
    freeze(1);
    activities.markStable(inPlace());
    change(spec -> spec.withImage("flink:2.3"));
    freeze(2);
    freezeStable(OperationState.ABORTED, null);

    assertThat(failure(() -> activities.markStable(inPlace()))).isEqualTo(FailureType.OUTDATED);
    assertThat(read().getStatus().operation().state()).isEqualTo(OperationState.ABORTED);
  }

  private StableRequest inPlace() {
    return new StableRequest(report(OperationState.SUCCEEDED, 1), Refs.JOB_ID, true);
  }

  /** A run that was reset must not forget what was recorded since. */
  @Test
  void whatWasRecordedSinceIsNotReplaced() {
    freeze(1);
    Standing before = standing();
    recordState();
    RecordStateRequest late =
        new RecordStateRequest(
            ref,
            new RestorePoint(new StateRef.Savepoint("file:/older"), null, Refs.JOB_ID),
            "DeleteCluster",
            "words",
            null,
            null,
            before,
            null);

    assertThat(failure(() -> activities.recordState(late))).isEqualTo(FailureType.OUTDATED);
    assertThat(read().getStatus().recordedState().path()).isEqualTo("file:/s");
  }

  @Test
  void aRollbackThatWasPlannedForAnEarlierStatusIsNotBegun() {
    stableAndUpgrading();
    Standing before = standing();
    recordState();

    FreezeStableRequest late =
        new FreezeStableRequest(report(OperationState.ABORTED, 1), null, before);

    assertThat(failure(() -> activities.freezeStable(late))).isEqualTo(FailureType.OUTDATED);
    assertThat(read().getStatus().recordedState().path()).isEqualTo("file:/s");
  }

  /** Also where the stable spec was applied again: it has a newer generation and says the same. */
  @Test
  void aRollbackThatIsBegunIsTakenOverAsOne() {
    stableAndUpgrading();
    change(spec -> spec.withImage("flink:2.4"));
    freezeStable(
        OperationState.RUNNING,
        new RestorePoint(new StateRef.Savepoint("file:/before"), Refs.JOB_ID, Refs.OTHER_JOB_ID));

    FreezeResult result =
        activities.freezeTarget(Reports.freeze(Reports.RUN, ref, 1, true, standing()));

    assertThat(result)
        .isInstanceOfSatisfying(
            FreezeResult.Frozen.class,
            frozen -> assertThat(frozen.target().generation()).isEqualTo(1));
    assertThat(read().getStatus().reconciliationStatus().state())
        .isEqualTo(ReconciliationState.ROLLING_BACK);
    assertThat(read().getStatus().recordedState().path()).isEqualTo("file:/before");
  }

  /** As after the abort of a recovery: what is rolled back to is the newest spec, too. */
  @Test
  void aRollbackToTheNewestSpecIsTakenOverAsOne() {
    status(
        ReconciliationStatus.EMPTY
            .withLastReconciledSpec(new FrozenSpec(Deployed.SPEC, 1, true).toJson())
            .withLastStableSpec(new FrozenSpec(Deployed.SPEC, 1, true).toJson())
            .withState(ReconciliationState.DEPLOYED));
    freezeStable(
        OperationState.RUNNING,
        new RestorePoint(new StateRef.Savepoint("file:/before"), Refs.JOB_ID, Refs.OTHER_JOB_ID));

    activities.freezeTarget(Reports.freeze(Reports.RUN, ref, 1, true, standing()));

    assertThat(read().getStatus().reconciliationStatus().state())
        .isEqualTo(ReconciliationState.ROLLING_BACK);
  }

  @Test
  void everyMethodSaysThatTheResourceIsGone() {
    admin.resource(Deployed.orders(namespace)).delete();

    assertThat(
            List.<Runnable>of(
                () -> freeze(1),
                () -> freezeStable(OperationState.RUNNING, null),
                () -> recordState(),
                () -> markStable(1, Refs.OTHER_JOB_ID),
                () -> activities.report(report(OperationState.RUNNING, 1))))
        .allSatisfy(call -> assertThat(failure(call)).isEqualTo(FailureType.RESOURCE_GONE));
  }

  private FreezeResult freezeStable(OperationState state, RestorePoint recorded) {
    return activities.freezeStable(new FreezeStableRequest(report(state, 1), recorded, standing()));
  }

  private void stableAndUpgrading() {
    status(
        ReconciliationStatus.EMPTY
            .withLastReconciledSpec(new FrozenSpec(Deployed.SPEC, 2, false).toJson())
            .withLastStableSpec(new FrozenSpec(Deployed.SPEC, 1, true).toJson())
            .withState(ReconciliationState.UPGRADING));
  }

  private void status(ReconciliationStatus reconciliation) {
    FlinkDeployment resource = read();
    resource.setStatus(FlinkDeploymentStatus.EMPTY.withReconciliationStatus(reconciliation));
    admin.resource(resource).subresource("status").update();
  }
}
