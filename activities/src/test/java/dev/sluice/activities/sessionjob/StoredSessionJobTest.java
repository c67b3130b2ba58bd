package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.resource.ObservedResource;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.CheckpointInterval;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the planner is told of a FlinkSessionJob. */
class StoredSessionJobTest {

  private static final String RETENTION =
      "execution.checkpointing.externalized-checkpoint-retention";
  private static final FlinkDeployment CLUSTER = SessionJobs.cluster(Map.of());

  private static StoredResource stored(FlinkSessionJob job) {
    return SessionJobs.stored(job, CLUSTER);
  }

  private static ObservedResource observed(FlinkSessionJob job) {
    return stored(job).observed();
  }

  @Test
  void aNewOneWasNeverStarted() {
    assertThat(observed(SessionJobs.totals()).unstarted()).isEqualTo("nothing was ever deployed");
  }

  @Test
  void whatFlinkWasAskedToRunMayRunWhateverElseTheStatusSays() {
    FlinkSessionJob job = SessionJobs.submitted(SessionJobs.totals(), Refs.JOB_ID, null, null);

    assertThat(observed(job).unstarted()).isNull();
  }

  @Test
  void theTargetTakesFromTheClusterWhatTheJobDoesNotSay() {
    Observation.Target target = observed(SessionJobs.totals()).newest().target();

    assertThat(target.generation()).isEqualTo(1);
    assertThat(target.upgradeMode()).isEqualTo(UpgradeMode.SAVEPOINT);
    assertThat(target.flinkVersion()).isEqualTo(FlinkVersion.V2_2);
    assertThat(target.session()).isFalse();
    assertThat(stored(SessionJobs.totals()).newest().configuration().get("state.savepoints.dir"))
        .contains("file:/savepoints");
  }

  private static FlinkConfiguration submitted(
      Map<String, String> ofJob, UpgradeMode mode, Map<String, String> ofCluster) {
    FlinkSessionJob job = SessionJobs.totals();
    job.setSpec(
        SessionJobs.SPEC
            .withJob(JobSpec.of("https://example.com/job.jar", 2, mode))
            .withFlinkConfiguration(FlinkConfiguration.of(ofJob).toJson()));
    SessionJobTarget target =
        (SessionJobTarget) SessionJobs.stored(job, SessionJobs.cluster(ofCluster)).newest();
    return target.submitted();
  }

  @ParameterizedTest
  @EnumSource(UpgradeMode.class)
  void flinkKeepsTheCheckpointsOfAJob(UpgradeMode mode) {
    assertThat(submitted(Map.of(), mode, Map.of()).get(RETENTION))
        .contains("RETAIN_ON_CANCELLATION");
  }

  @Test
  void whatJobOrClusterSayOfCheckpointsStays() {
    Map<String, String> own =
        Map.of(RETENTION, "DELETE_ON_CANCELLATION", CheckpointInterval.KEY, "1 s");

    assertThat(submitted(own, UpgradeMode.LAST_STATE, Map.of()).asMap()).isEqualTo(own);
    assertThat(submitted(Map.of(), UpgradeMode.LAST_STATE, own).asMap()).isEmpty();
  }

  @Test
  void aJobThatGoesOnFromItsLastStateTakesCheckpoints() {
    assertThat(submitted(Map.of(), UpgradeMode.LAST_STATE, Map.of()).get(CheckpointInterval.KEY))
        .contains("5 min");
    assertThat(submitted(Map.of(), UpgradeMode.STATELESS, Map.of()).has(CheckpointInterval.KEY))
        .isFalse();
  }

  @Test
  void keysOfTheClusterCountOnlyWhereTheClusterHasThem() {
    FlinkSessionJob job = SessionJobs.totals();
    job.setSpec(
        job.getSpec()
            .withFlinkConfiguration(
                FlinkConfiguration.of(
                        Map.of("rest.port", "9999", "high-availability.type", "kubernetes"))
                    .toJson()));

    FlinkConfiguration used = stored(job).newest().configuration();

    assertThat(used.has("rest.port")).isFalse();
    assertThat(used.has("high-availability.type")).isFalse();
  }

  /** The cluster stays, and Flink brings its jobs back by itself. */
  @Test
  void noJobIsEverLeftToTheMetadataOfItsCluster() {
    FlinkDeployment available =
        SessionJobs.cluster(
            Map.of(
                "high-availability.type", "kubernetes",
                "high-availability.storageDir", "s3://b/ha",
                "kubernetes.operator.job.upgrade.last-state.job-cancel.enabled", "false"));

    Observation.StateOptions options =
        SessionJobs.stored(SessionJobs.totals(), available).newest().target().options();

    assertThat(options.highAvailability()).isFalse();
    assertThat(options.cancels()).isTrue();
  }

  @Test
  void aJobWithoutItsClusterIsValidAndWaits() {
    StoredResource stored = SessionJobs.stored(SessionJobs.totals(), null);

    assertThat(stored.problem()).isNull();
    assertThat(stored.hosted().orElseThrow().hostUid()).isNull();
  }

  @Test
  void aJobOfAnApplicationIsNotValid() {
    FlinkDeployment application = SessionJobs.cluster(Map.of());
    application.setStatus(
        application
            .getStatus()
            .withReconciliationStatus(
                Objects.requireNonNull(application.getStatus().reconciliationStatus())
                    .withLastReconciledSpec(
                        new dev.sluice.api.deployment.FrozenSpec(Deployed.SPEC, 1, true)
                            .toJson())));

    assertThat(SessionJobs.stored(SessionJobs.totals(), application).problem())
        .contains("spec.deploymentName", "must name a session cluster");
  }

  @Test
  void anotherParallelismIsAnotherSpec() {
    FlinkSessionJob job = SessionJobs.frozen(SessionJobs.totals(), ReconciliationState.DEPLOYED);
    job.setSpec(
        job.getSpec().withJob(Objects.requireNonNull(job.getSpec().job()).withParallelism(3)));

    assertThat(observed(job).newest().sameAsFrozen()).isFalse();
  }

  @Test
  void theRecordedStateCountsWhileAnOperationIsInProgress() {
    FlinkSessionJob job = SessionJobs.frozen(SessionJobs.totals(), ReconciliationState.UPGRADING);
    job.setStatus(
        job.getStatus()
            .withRecordedState(
                new RecordedState(
                    RecordedState.Type.SAVEPOINT, "file:/s", null, "before", Refs.JOB_ID)));

    assertThat(Objects.requireNonNull(observed(job).recorded()).state())
        .isEqualTo(new StateRef.Savepoint("file:/s"));
    assertThat(Objects.requireNonNull(observed(job).recorded()).startedJob())
        .isEqualTo(Refs.JOB_ID);
  }

  @Test
  void theConfigurationOfTheClusterCanAskForASavepointOnDeletion() {
    FlinkSessionJob job = SessionJobs.frozen(SessionJobs.totals(), ReconciliationState.DEPLOYED);
    FlinkDeployment saving =
        SessionJobs.cluster(Map.of("kubernetes.operator.job.savepoint-on-deletion", "true"));

    assertThat(SessionJobs.stored(job, saving).observed().deletionSavepointMs()).isEqualTo(600_000);
    assertThat(observed(job).deletionSavepointMs()).isZero();
  }

  @Test
  void aSpecInTheStatusThatCannotBeReadCountsAsAbsent() {
    FlinkSessionJob job = SessionJobs.frozen(SessionJobs.totals(), ReconciliationState.DEPLOYED);
    job.setStatus(
        job.getStatus()
            .withReconciliationStatus(
                Objects.requireNonNull(job.getStatus().reconciliationStatus())
                    .withLastReconciledSpec("{")));

    assertThat(stored(job).frozen()).isEmpty();
    assertThat(observed(job).unstarted()).isNull();
  }
}
