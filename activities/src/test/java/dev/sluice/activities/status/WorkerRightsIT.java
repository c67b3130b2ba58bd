package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterActivitiesImpl;
import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.cluster.SessionJobSource;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.kubernetes.KubernetesIdentity;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.activities.support.WorkerClient;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.ClusterActivities.CreateClusterRequest;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.RecordStateRequest;
import dev.sluice.workflows.activity.StableRequest;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.Standing;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An upgrade's effects, with the rights of the committed manifest and no others. */
@ExtendWith(ApiServer.Extension.class)
class WorkerRightsIT {

  private KubernetesClient admin;
  private KubernetesClient worker;
  private ResourceRef ref;
  private ResourceActivitiesImpl resources;
  private ClusterActivitiesImpl clusters;

  @BeforeEach
  void becomeTheWorker(ApiServer server) throws IOException {
    admin = server.client();
    worker = WorkerClient.of(server);
    FlinkDeployment resource = Deployed.orders(server.namespace());
    resource.getMetadata().setAnnotations(Map.of(Annotations.RESTORE_FROM, "empty"));
    ref = Deployed.ref(admin.resource(resource).create());
    ResourceStores stores = new ResourceStores(List.of(new FlinkDeploymentStore(worker)));
    ClusterAccess access =
        new ClusterAccess(new ClusterReader(worker), new FakeView(), new TestClock());
    Watcher nobodyWaits = null;
    resources =
        new ResourceActivitiesImpl(
            worker, stores, access, new FakeFlink(), nobodyWaits, SessionJobSource.NONE, 10);
    clusters = new ClusterActivitiesImpl(worker, stores, access, new FakeFlink(), nobodyWaits);
  }

  @AfterEach
  void stop() {
    worker.close();
  }

  @Test
  void theyAreEnoughForEveryEffectOfAnUpgrade() {
    assertThat(resources.freezeTarget(Reports.freeze(ref, 1, false)))
        .isInstanceOf(FreezeResult.Frozen.class);
    resources.recordState(
        new RecordStateRequest(
            ref,
            new RestorePoint(new StateRef.Empty("a person says so"), null, Refs.JOB_ID),
            "CreateCluster",
            "words",
            null,
            "empty",
            new Standing(Observation.Phase.UPGRADING, 1L, null)));
    clusters.createCluster(
        new CreateClusterRequest(
            ref, Refs.job(ref, Refs.JOB_ID), 1, new StateRef.Empty("a person says so")));
    resources.markStable(new StableRequest(report(OperationState.SUCCEEDED), Refs.JOB_ID));

    FlinkDeployment after = admin.resource(Deployed.orders(ref.namespace())).get();
    assertThat(after.getStatus().lastStable()).isNotNull();
    assertThat(after.getMetadata().getAnnotations()).isNullOrEmpty();
    assertThat(new ClusterReader(worker).objects(Refs.cluster(ref)).deployment()).isPresent();
    assertThat(new KubernetesIdentity(worker).read()).isNotEmpty();
  }

  @Test
  void theyAreEnoughToDeleteWhatAClusterIsMadeOf() {
    theyAreEnoughForEveryEffectOfAnUpgrade();
    admin.resource(taskManager()).create();
    Deletion deletion = new Deletion(worker);

    List.of(
            worker.apps().deployments().inNamespace(ref.namespace()).list(),
            worker.services().inNamespace(ref.namespace()).list(),
            worker.configMaps().inNamespace(ref.namespace()).list(),
            worker.pods().inNamespace(ref.namespace()).list())
        .forEach(list -> list.getItems().forEach(deletion::delete));

    assertThat(worker.pods().inNamespace(ref.namespace()).list().getItems()).isEmpty();
    assertThat(worker.services().inNamespace(ref.namespace()).list().getItems()).isEmpty();
  }

  private Pod taskManager() {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace(ref.namespace())
        .withName("orders-taskmanager-1-1")
        .endMetadata()
        .withNewSpec()
        .withTerminationGracePeriodSeconds(0L)
        .addNewContainer()
        .withName("flink-main-container")
        .withImage("flink:2.2")
        .endContainer()
        .endSpec()
        .build();
  }

  @Test
  void theyAreNotEnoughForAnythingElse() {
    assertThatThrownBy(() -> worker.namespaces().withName("default").get())
        .isInstanceOf(KubernetesClientException.class);
    assertThatThrownBy(() -> worker.secrets().inNamespace(ref.namespace()).list())
        .isInstanceOf(KubernetesClientException.class);
  }

  private OperationReport report(OperationState state) {
    return new OperationReport(
        ref, Reports.RUN, state, "MarkStable", 1, null, "words", "OperationSucceeded", null, null);
  }
}
