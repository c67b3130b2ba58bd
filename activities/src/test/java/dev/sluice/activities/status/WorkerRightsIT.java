package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterActivitiesImpl;
import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.cluster.SessionJobSource;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.kubernetes.KubernetesIdentity;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.Annotations;
import dev.sluice.workflows.activity.ClusterActivities.CreateClusterRequest;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An upgrade's effects, with the rights of the committed manifest and no others. */
class WorkerRightsIT extends ActivitiesScenario {

  private static final StateRef CHOSEN = new StateRef.Empty("a person says so");

  @Test
  void theyAreEnoughForEveryEffectOfAnUpgradeAndToDeleteItsCluster() {
    ClusterActivitiesImpl clusters =
        new ClusterActivitiesImpl(
            worker,
            new ResourceStores(List.of(new FlinkDeploymentStore(worker))),
            new ClusterAccess(new ClusterReader(worker), new FakeView(), new TestClock()),
            new FakeFlink(),
            null,
            SessionJobSource.NONE);
    annotate(Annotations.RESTORE_FROM, "empty");

    assertThat(freeze(1)).isInstanceOf(FreezeResult.Frozen.class);
    activities.recordState(Reports.record(ref, CHOSEN, "empty", standing()));
    clusters.createCluster(
        new CreateClusterRequest(ref, Refs.job(ref, Refs.OTHER_JOB_ID), 1, CHOSEN));
    markStable(1, Refs.OTHER_JOB_ID);

    assertThat(read().getStatus().reconciliationStatus().lastStableSpec()).isNotNull();
    assertThat(annotations()).isEmpty();
    assertThat(new ClusterReader(worker).objects(Refs.cluster(ref)).deployment()).isPresent();
    assertThat(new KubernetesIdentity(worker).read()).isNotEmpty();

    admin.resource(taskManager()).create();
    Deletion deletion = new Deletion(worker);
    List.of(
            worker.apps().deployments().inNamespace(namespace).list(),
            worker.services().inNamespace(namespace).list(),
            worker.configMaps().inNamespace(namespace).list(),
            worker.pods().inNamespace(namespace).list())
        .forEach(list -> list.getItems().forEach(deletion::delete));
    assertThat(worker.pods().inNamespace(namespace).list().getItems()).isEmpty();
    assertThat(worker.services().inNamespace(namespace).list().getItems()).isEmpty();
  }

  private Pod taskManager() {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
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
    assertThatThrownBy(() -> worker.secrets().inNamespace(namespace).list())
        .isInstanceOf(KubernetesClientException.class);
  }
}
