package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.cluster.Clusters;
import dev.sluice.activities.cluster.SessionJobSource;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.EndedJob;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.FreezeStableRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordEndRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordStateRequest;
import dev.sluice.workflows.activity.StableRequest;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.Standing;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServer.Extension.class)
class ResourceActivitiesIT {

  private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");
  private static final Ended END =
      new Ended(Refs.JOB_ID, FlinkJobState.FINISHED, new StateRef.Savepoint("file:/s"), true);

  private KubernetesClient client;
  private String namespace;
  private ResourceRef ref;
  private final FakeFlink flink = new FakeFlink();
  private ResourceActivitiesImpl activities;

  @BeforeEach
  void create(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
    ref = Deployed.ref(client.resource(Deployed.orders(namespace)).create());
    activities =
        new ResourceActivitiesImpl(
            client,
            new ResourceStores(List.of(new FlinkDeploymentStore(client))),
            new ClusterAccess(new ClusterReader(client), new FakeView(), new TestClock()),
            flink,
            null,
            SessionJobSource.NONE,
            10);
  }

  /** The answer of the first attempt was lost; the run goes on with what it planned. */

  /** Our own validation does not know every rule of Kubernetes; its dry run does. */

  /** A call that comes late must not say of the next operation from what it starts. */
  @Test
  void nothingIsRecordedUnlessAnOperationIsBegun() {
    assertThat(failure(() -> record(null)).getType()).isEqualTo(FailureType.OUTDATED);
    assertThat(read().getStatus().recordedState()).isNull();
  }

  @Test
  void theAnnotationThatDecidedIsTakenAway() {
    freeze(1);
    annotate("file:/s");

    record("file:/s");
    record("file:/s");

    assertThat(read().getMetadata().getAnnotations()).isNullOrEmpty();
    assertThat(read().getStatus().recordedState())
        .isEqualTo(
            new RecordedState(
                RecordedState.Type.SAVEPOINT, "file:/s", null, Refs.JOB_ID, Refs.OTHER_JOB_ID));
  }

  @Test
  void anAnnotationThatSaysSomethingElseByNowIsAnotherRequest() {
    freeze(1);
    annotate("empty");

    record("file:/s");

    assertThat(read().getMetadata().getAnnotations())
        .containsEntry(Annotations.RESTORE_FROM, "empty");
  }

  /** The answer of the first call may be lost, and its cluster deleted since. */
  @Test
  void theEndOfAJobIsRecordedOnce() {
    client.resource(Clusters.deployment(namespace, ref.uid())).create();
    flink.job(Jobs.finished(NOW));
    activities.recordEnd(new RecordEndRequest(ref, END, standing()));
    EndedJob recorded = read().getStatus().endedJob();
    flink.up(false);

    activities.recordEnd(new RecordEndRequest(ref, END, standing()));

    assertThat(read().getStatus().endedJob()).isEqualTo(recorded);
    assertThat(recorded.state()).isEqualTo(FlinkJobState.FINISHED);
    assertThat(recorded.left().path()).isEqualTo("file:/s");
  }

  @Test
  void theEndOfAJobThatRunsAgainIsNotRecorded() {
    client.resource(Clusters.deployment(namespace, ref.uid())).create();
    flink.job(FlinkJobState.RUNNING, 1);

    assertThat(
            failure(() -> activities.recordEnd(new RecordEndRequest(ref, END, standing())))
                .getType())
        .isEqualTo(FailureType.OUTDATED);
    assertThat(read().getStatus().endedJob()).isNull();
  }

  @Test
  void theNextJobForgetsTheEndOfTheOneBefore() {
    client.resource(Clusters.deployment(namespace, ref.uid())).create();
    flink.job(Jobs.finished(NOW));
    activities.recordEnd(new RecordEndRequest(ref, END, standing()));
    freeze(1);
    assertThat(read().getStatus().endedJob()).isNotNull();

    record(null);

    assertThat(read().getStatus().endedJob()).isNull();
  }

  @Test
  void aTargetThatRunsBecomesStable() {
    freeze(1);
    record(null);

    activities.markStable(stable(Refs.OTHER_JOB_ID));

    assertThat(read().getStatus().lastStable().generation()).isEqualTo(1);
    assertThat(read().getStatus().reconciliationStatus().state())
        .isEqualTo(ReconciliationState.DEPLOYED);
    assertThat(read().getStatus().recordedState()).isNotNull();
  }

  @Test
  void thatTheJobIsUpIsWrittenUntilItIsStable() {
    freeze(1);
    record(null);

    activities.report(report(OperationState.RUNNING, 1).withUpJob(Refs.OTHER_JOB_ID));

    assertThat(read().getStatus().recordedState().upJob()).isEqualTo(Refs.OTHER_JOB_ID);
    activities.markStable(stable(Refs.OTHER_JOB_ID));
    assertThat(read().getStatus().recordedState().upJob()).isNull();
  }

  /** A call that comes late must not say of the next target that it runs. */
  @Test
  void anotherTargetThatWasFrozenSinceIsNotMarkedStable() {
    freeze(1);
    change(spec -> spec.withImage("flink:2.3"));
    freeze(2);

    assertThat(failure(() -> activities.markStable(stable(Refs.OTHER_JOB_ID))).getType())
        .isEqualTo(FailureType.OUTDATED);
    assertThat(read().getStatus().lastStable()).isNull();
  }

  @Test
  void aJobThatIsNotTheRecordedOneDoesNotMakeItsTargetStable() {
    freeze(1);
    record(null);

    assertThat(failure(() -> activities.markStable(stable(Refs.JOB_ID))).getType())
        .isEqualTo(FailureType.OUTDATED);
    assertThat(read().getStatus().lastStable()).isNull();
  }

  @Test
  void aJobThatWasNeverStoppedMakesItsTargetStableOnce() {
    freeze(1);

    activities.markStable(inPlace());
    activities.markStable(inPlace()); // its answer was lost

    assertThat(read().getStatus().lastStable().generation()).isEqualTo(1);
  }

  @Test
  void aRescaleThatIsResetDoesNotStartAgainWhatWasAbortedSince() {
    freeze(1);
    activities.markStable(inPlace());
    change(spec -> spec.withImage("flink:2.3"));
    freeze(2);
    freezeStable(OperationState.ABORTED, null);

    assertThat(failure(() -> activities.markStable(inPlace())).getType())
        .isEqualTo(FailureType.OUTDATED);
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
    record(null);
    RecordStateRequest late =
        new RecordStateRequest(
            ref,
            new RestorePoint(new StateRef.Savepoint("file:/older"), null, Refs.JOB_ID),
            "DeleteCluster",
            "words",
            null,
            null,
            before);

    assertThat(failure(() -> activities.recordState(late)).getType())
        .isEqualTo(FailureType.OUTDATED);
    assertThat(read().getStatus().recordedState().path()).isEqualTo("file:/s");
  }

  @Test
  void aRollbackThatWasPlannedForAnEarlierStatusIsNotBegun() {
    stableAndUpgrading();
    Standing before = standing();
    record(null);

    FreezeStableRequest late =
        new FreezeStableRequest(report(OperationState.ABORTED, 1), null, before);

    assertThat(failure(() -> activities.freezeStable(late)).getType())
        .isEqualTo(FailureType.OUTDATED);
    assertThat(read().getStatus().recordedState().path()).isEqualTo("file:/s");
  }

  @Test
  void nothingIsMarkedStableWhenNothingIsFrozen() {
    assertThat(failure(() -> activities.markStable(stable(Refs.OTHER_JOB_ID))).getType())
        .isEqualTo(FailureType.OUTDATED);
  }

  @Test
  void withoutAStableSpecThereIsNothingToGoBackTo() {
    status(ReconciliationStatus.EMPTY.withLastReconciledSpec("{").withLastStableSpec("{"));

    assertThat(freezeStable(OperationState.RUNNING, null))
        .isEqualTo(new FreezeResult.Invalid("no spec of " + ref.display() + " was ever stable"));
  }

  @Test
  void aRollbackIsBegunAndItsStateRecordedInOneWrite() {
    stableAndUpgrading();
    RestorePoint before =
        new RestorePoint(new StateRef.Savepoint("file:/before"), Refs.JOB_ID, Refs.OTHER_JOB_ID);

    FreezeResult result = freezeStable(OperationState.RUNNING, before);

    assertThat(result)
        .isInstanceOfSatisfying(
            FreezeResult.Frozen.class,
            frozen -> assertThat(frozen.target().generation()).isEqualTo(1));
    assertThat(read().getStatus().reconciliationStatus().state())
        .isEqualTo(ReconciliationState.ROLLING_BACK);
    assertThat(read().getStatus().recordedState().path()).isEqualTo("file:/before");
  }

  /** The stable spec was applied again meanwhile: it has a newer generation and says the same. */
  @Test
  void anUpgradeTakesOverTheTargetThatIsBeingRolledBackTo() {
    stableAndUpgrading();
    change(spec -> spec.withImage("flink:2.4"));
    freezeStable(
        OperationState.RUNNING,
        new RestorePoint(new StateRef.Savepoint("file:/before"), Refs.JOB_ID, Refs.OTHER_JOB_ID));

    FreezeResult result =
        activities.freezeTarget(Reports.plannedFor(standing(), Reports.freeze(ref, 1, true)));

    assertThat(result)
        .isInstanceOfSatisfying(
            FreezeResult.Frozen.class,
            frozen -> assertThat(frozen.target().generation()).isEqualTo(1));
    assertThat(read().getStatus().reconciliationStatus().state())
        .isEqualTo(ReconciliationState.UPGRADING);
    assertThat(read().getStatus().recordedState().path()).isEqualTo("file:/before");
  }

  @Test
  void anOperationThatNeverTouchedTheJobLeavesTheStableSpecDeployed() {
    stableAndUpgrading();
    record(null);

    freezeStable(OperationState.ABORTED, null);

    assertThat(read().getStatus().lastReconciled().generation()).isEqualTo(1);
    assertThat(read().getStatus().reconciliationStatus().state())
        .isEqualTo(ReconciliationState.DEPLOYED);
    assertThat(read().getStatus().recordedState()).isNull();
  }

  @Test
  void everyMethodSaysThatTheResourceIsGone() {
    client.resource(Deployed.orders(namespace)).delete();

    assertThat(
            List.<ThrowingCallable>of(
                () -> freeze(1),
                () -> freezeStable(OperationState.RUNNING, null),
                () -> record(null),
                () -> activities.markStable(stable(Refs.OTHER_JOB_ID)),
                () -> activities.report(report(OperationState.RUNNING, 1))))
        .allSatisfy(
            call -> assertThat(failure(call).getType()).isEqualTo(FailureType.RESOURCE_GONE));
  }

  private FreezeResult freeze(long generation) {
    return activities.freezeTarget(
        Reports.plannedFor(standing(), Reports.freeze(ref, generation, false)));
  }

  private void record(String usedRestoreFrom) {
    activities.recordState(
        Reports.record(ref, new StateRef.Savepoint("file:/s"), usedRestoreFrom, standing()));
  }

  private FreezeResult freezeStable(OperationState state, RestorePoint recorded) {
    return activities.freezeStable(new FreezeStableRequest(report(state, 1), recorded, standing()));
  }

  private StableRequest stable(String jobId) {
    return new StableRequest(report(OperationState.SUCCEEDED, 1), jobId);
  }

  private Standing standing() {
    FlinkDeployment now = read();
    return now == null ? Reports.BEFORE : Stored.of(now).observed().standing();
  }

  private OperationReport report(OperationState state, long generation) {
    return Reports.of(ref, Reports.RUN, state, "MarkStable", generation);
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
    client.resource(resource).subresource("status").update();
  }

  private void change(UnaryOperator<FlinkDeploymentSpec> change) {
    client
        .resource(read())
        .edit(
            resource -> {
              resource.setSpec(change.apply(resource.getSpec()));
              return resource;
            });
  }

  private void annotate(String restoreFrom) {
    client
        .resource(read())
        .edit(
            resource -> {
              resource.getMetadata().setAnnotations(Map.of(Annotations.RESTORE_FROM, restoreFrom));
              return resource;
            });
  }

  private static ApplicationFailure failure(ThrowingCallable call) {
    ApplicationFailure[] caught = new ApplicationFailure[1];
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(ApplicationFailure.class, failure -> caught[0] = failure);
    return caught[0];
  }

  private FlinkDeployment read() {
    return client.resource(Deployed.orders(namespace)).get();
  }
}
