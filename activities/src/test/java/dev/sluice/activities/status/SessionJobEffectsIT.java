package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.cluster.SessionJobSource;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.sessionjob.FlinkSessionJobStore;
import dev.sluice.activities.sessionjob.SessionJobs;
import dev.sluice.activities.support.Created;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.activities.support.WorkerClient;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.ResourceActivities.FreezeDeployedRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordStateRequest;
import dev.sluice.workflows.activity.StableRequest;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.Standing;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What every operation writes, for a job on a session cluster, with the rights of the worker. */
@ExtendWith(ApiServer.Extension.class)
class SessionJobEffectsIT {

  private KubernetesClient admin;
  private KubernetesClient worker;
  private ResourceRef ref;
  private ResourceActivitiesImpl resources;

  @BeforeEach
  void aJobOnASessionCluster(ApiServer server) throws IOException {
    admin = server.client();
    String namespace = server.namespace();
    worker = WorkerClient.of(server);
    FlinkDeployment host = SessionJobs.cluster(Map.of("state.savepoints.dir", "s3://savepoints"));
    FlinkDeployment unused = Created.in(admin, namespace, host);
    FlinkSessionJob job = SessionJobs.totals();
    job.getMetadata().setNamespace(namespace);
    job.getMetadata().setUid(null);
    job.getMetadata().setAnnotations(Map.of(Annotations.RESTORE_FROM, "empty"));
    ref = Refs.of(admin.resource(job).create());
    FlinkDeploymentStore deployments = new FlinkDeploymentStore(worker);
    ClusterAccess access =
        new ClusterAccess(new ClusterReader(worker), new FakeView(), new TestClock());
    Watcher nobodyWaits = null;
    resources =
        new ResourceActivitiesImpl(
            worker,
            new ResourceStores(
                List.of(
                    deployments, new FlinkSessionJobStore(worker, deployments, StableAfter.NONE))),
            access,
            new FakeFlink(),
            nobodyWaits,
            SessionJobSource.NONE,
            10);
  }

  @AfterEach
  void stop() {
    worker.close();
  }

  private void submitted(String jobId) {
    FlinkSessionJob job = read();
    SessionJobs.frozen(job, ReconciliationState.DEPLOYED);
    SessionJobs.submitted(job, jobId, "containerd://1", null);
    FlinkSessionJob unused = admin.resource(job).updateStatus();
  }

  private FreezeDeployedRequest lost(@Nullable String jobId, RecoveryCause cause) {
    return new FreezeDeployedRequest(
        Reports.of(ref, Reports.RECOVER, OperationState.RUNNING, "FreezeTarget", 1),
        true,
        null,
        jobId,
        null,
        new RecoveryStatus(1, null, cause),
        null,
        new Standing(Observation.Phase.IDLE, 1L, null));
  }

  /** One that the process that was asked does not know has finished while nobody looked. */
  @ParameterizedTest(name = "asked on 1, now {0} runs: {1}")
  @CsvSource({"containerd://1, DEPLOYED", "containerd://2, UPGRADING"})
  void aJobThatItsClusterDoesNotKnowIsBroughtBackUnlessItHasEnded(
      String process, ReconciliationState state) {
    submitted(Refs.JOB_ID);
    jobManager(process);

    resources.freezeDeployed(lost(null, RecoveryCause.JOB_MANAGER_MISSING));

    assertThat(state()).isEqualTo(state);
  }

  @Test
  void aJobThatFailedIsBroughtBackUnlessItWasReplacedSince() {
    submitted(Refs.JOB_ID);

    assertThatThrownBy(
            () -> resources.freezeDeployed(lost(Refs.OTHER_JOB_ID, RecoveryCause.JOB_FAILED)))
        .hasMessageContaining("for job " + Refs.JOB_ID);
    resources.freezeDeployed(lost(Refs.JOB_ID, RecoveryCause.JOB_FAILED));

    assertThat(state()).isEqualTo(ReconciliationState.UPGRADING);
  }

  private @Nullable ReconciliationState state() {
    return Objects.requireNonNull(read().getStatus().reconciliationStatus()).state();
  }

  private void jobManager(String containerId) {
    Pod unused =
        Pods.create(
            admin,
            ref.namespace(),
            new ContainerStatusBuilder()
                .withContainerID(containerId)
                .withReady(true)
                .withRestartCount(0)
                .build());
  }

  private FlinkSessionJob read() {
    return admin
        .resources(FlinkSessionJob.class)
        .inNamespace(ref.namespace())
        .withName(ref.name())
        .get();
  }

  @Test
  void fromTheFreezingOfTheTargetToTheJobThatIsStable() {
    assertThat(resources.freezeTarget(Reports.freeze(ref, 1, false)))
        .isInstanceOf(FreezeResult.Frozen.class);
    resources.recordState(
        new RecordStateRequest(
            ref,
            new RestorePoint(new StateRef.Empty("a person says so"), null, Refs.JOB_ID),
            "StartJob",
            "words",
            null,
            "empty",
            new Standing(Observation.Phase.UPGRADING, 1L, null),
            null));
    FlinkSessionJob recorded = read();
    resources.markStable(
        new StableRequest(
            Reports.of(ref, Reports.RUN, OperationState.SUCCEEDED, "MarkStable", 1), Refs.JOB_ID));

    assertThat(Objects.requireNonNull(recorded.getStatus().recordedState()).startedJob())
        .isEqualTo(Refs.JOB_ID);
    FlinkSessionJob stable = read();
    assertThat(stable.getMetadata().getAnnotations()).isNullOrEmpty();
    var reconciliation = Objects.requireNonNull(stable.getStatus().reconciliationStatus());
    assertThat(reconciliation.state()).isEqualTo(ReconciliationState.DEPLOYED);
    assertThat(reconciliation.lastStableSpec())
        .isNotNull()
        .isEqualTo(reconciliation.lastReconciledSpec());
  }
}
