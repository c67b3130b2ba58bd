package dev.sluice.activities.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.resource.ObservedResource;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a FlinkDeployment tells whose job is suspended. */
class SuspendedDeploymentTest {

  private static final RecordedState LEFT =
      new RecordedState(
          RecordedState.Type.SAVEPOINT, "file:/s", null, Refs.JOB_ID, Refs.OTHER_JOB_ID);
  private static final FlinkDeploymentSpec SUSPENDED =
      Deployed.SPEC.withJob(Deployed.SPEC.job().withState(DesiredJobState.SUSPENDED));

  /** Suspended with that generation, and nothing is under way. */
  private static FlinkDeployment suspended(long generation, boolean firstDeployment) {
    String json = new FrozenSpec(SUSPENDED, generation, firstDeployment).toJson();
    FlinkDeployment resource = Deployed.orders("default");
    resource.getMetadata().setUid(Refs.UID);
    resource.getMetadata().setGeneration(generation);
    resource.setSpec(SUSPENDED);
    resource.setStatus(
        FlinkDeploymentStatus.EMPTY.withReconciliationStatus(
            ReconciliationStatus.EMPTY
                .withLastReconciledSpec(json)
                .withLastStableSpec(json)
                .withState(ReconciliationState.DEPLOYED)));
    return resource;
  }

  private static FlinkDeployment recorded(FlinkDeployment resource) {
    resource.setStatus(resource.getStatus().withRecordedState(LEFT));
    return resource;
  }

  private static FlinkDeployment byApache(String path) {
    FlinkDeployment resource = suspended(2, false);
    resource.setStatus(
        resource
            .getStatus()
            .withJobStatus(JobStatus.EMPTY.withJobId(Refs.JOB_ID).withUpgradeSavepointPath(path)));
    return resource;
  }

  private static ObservedResource observed(FlinkDeployment resource) {
    return Stored.of(resource).observed();
  }

  @Test
  void whatItsJobLeftIsToldAlthoughNoOperationIsBegun() {
    ObservedResource observed = observed(recorded(suspended(2, false)));

    assertThat(observed.isBegun()).isFalse();
    assertThat(observed.recorded())
        .isEqualTo(
            new RestorePoint(new StateRef.Savepoint("file:/s"), Refs.JOB_ID, Refs.OTHER_JOB_ID));
    assertThat(observed.stableGeneration()).isEqualTo(2);
    assertThat(observed.newest().target().suspended()).isTrue();
    assertThat(observed.frozen().suspended()).isTrue();
  }

  @Test
  void suspendedFromTheFirstProvesThatNoJobWasStarted() {
    ObservedResource observed = observed(suspended(1, true));

    assertThat(observed.unstarted()).isEqualTo("the job was suspended from the first");
    assertThat(observed.stableGeneration()).isNull();
  }

  @Test
  void aFirstResumeThatWasFrozenHasStartedNothingUntilItRecordedSomething() {
    FlinkDeployment resource = suspended(1, true);
    resource.setStatus(
        resource
            .getStatus()
            .withReconciliationStatus(
                resource
                    .getStatus()
                    .reconciliationStatus()
                    .withLastReconciledSpec(new FrozenSpec(Deployed.SPEC, 2, true).toJson())
                    .withState(ReconciliationState.UPGRADING)));

    assertThat(observed(resource).unstarted())
        .isEqualTo("the first deployment has not created its cluster");
    assertThat(observed(recorded(resource)).unstarted()).isNull();
  }

  @Test
  void aSuspendedJobThatWasSeenRanBefore() {
    FlinkDeployment resource = suspended(2, true);
    resource.setStatus(resource.getStatus().withJobStatus(JobStatus.EMPTY.withJobId(Refs.JOB_ID)));

    assertThat(observed(resource).unstarted()).isNull();
    assertThat(observed(resource).stableGeneration()).isEqualTo(2);
  }

  @Test
  void whatApachesOperatorSuspendedGoesOnFromThePathThatItRecorded() {
    RestorePoint left = observed(byApache("s3://savepoints/1")).recorded();

    assertThat(left.state()).isEqualTo(new StateRef.Savepoint("s3://savepoints/1"));
    assertThat(left.takenFrom()).isEqualTo(Refs.JOB_ID);
    assertThat(observed(byApache("KUBERNETES_OPERATOR_LAST_STATE")).recorded())
        .as("metadata is no path")
        .isNull();
  }

  /** FLINK-36037: its next release did not look there. */
  @ParameterizedTest(name = "suspended by {0}: {1}")
  @CsvSource({"SAVEPOINT, file:/s/1", "LAST_STATE, ", "STATELESS, "})
  void whatApachesOperatorSuspendedUpToRelease1_9GoesOnFromItsLastSavepoint(
      UpgradeMode mode, String expected) {
    RestorePoint left = observed(byOlderApache(mode, false)).recorded();

    assertThat(left == null ? null : left.state().pathOrNull()).isEqualTo(expected);
  }

  @Test
  void itDoesSoOnceTheResumeIsFrozen() {
    FlinkDeployment resource = byOlderApache(UpgradeMode.SAVEPOINT, false);
    resource.setStatus(
        resource
            .getStatus()
            .withReconciliationStatus(
                resource
                    .getStatus()
                    .reconciliationStatus()
                    .withLastReconciledSpec(new FrozenSpec(Deployed.SPEC, 3, false).toJson())
                    .withState(ReconciliationState.UPGRADING)));

    assertThat(observed(resource).recorded().state().pathOrNull()).isEqualTo("file:/s/1");
  }

  /** Something else is recorded then, or nothing was left. */
  @Test
  void theLastSavepointThatApachesOperatorKnewDoesNotCountForWhatSluiceSuspended() {
    assertThat(observed(byOlderApache(UpgradeMode.SAVEPOINT, true)).recorded()).isNull();
  }

  private static FlinkDeployment byOlderApache(UpgradeMode mode, boolean suspendedBySluice) {
    FlinkDeployment resource = suspended(2, false);
    FlinkDeploymentSpec spec =
        resource.getSpec().withJob(resource.getSpec().job().withUpgradeMode(mode));
    String frozen =
        new FrozenSpec(spec, 2, false, suspendedBySluice ? FlinkConfiguration.empty() : null)
            .toJson();
    Savepoint last = new Savepoint(1, "file:/s/1", "UPGRADE", "CANONICAL", null);
    resource.setStatus(
        resource
            .getStatus()
            .withReconciliationStatus(
                resource
                    .getStatus()
                    .reconciliationStatus()
                    .withLastReconciledSpec(frozen)
                    .withLastStableSpec(frozen))
            .withJobStatus(
                JobStatus.EMPTY
                    .withJobId(Refs.JOB_ID)
                    .withSavepointInfo(
                        new SavepointInfo(last, null, null, null, null, List.of(last), 0))));
    return resource;
  }
}
