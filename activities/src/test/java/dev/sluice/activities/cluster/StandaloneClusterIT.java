package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.Annotations;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.activity.FailureType;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster whose TaskManagers are a Deployment: made, found and deleted with it. */
class StandaloneClusterIT extends ClusterScenario {

  private static final String TASK_MANAGERS = "orders-taskmanager";

  @BeforeEach
  void freeze() {
    status(frozen(Deployed.SPEC.withMode(KubernetesDeploymentMode.STANDALONE)));
  }

  @Test
  void create_makesTaskManagersThatBelongToTheJobManager() {
    createCluster();

    assertThat(taskManagers().getMetadata().getOwnerReferences())
        .containsExactly(
            new OwnerReference(
                "apps/v1",
                true,
                true,
                "Deployment",
                "orders",
                jobManager().getMetadata().getUid()));
    assertThat(taskManagers().getMetadata().getAnnotations())
        .containsEntry(Annotations.JOB_ID, JOB);
  }

  /** An attempt that ended between the two, or somebody who deleted them by hand. */
  @Test
  void create_again_makesOnlyTaskManagersThatAreMissing() {
    createCluster();
    List<String> before = List.of(version(jobManager()), version(taskManagers()));

    createCluster();

    assertThat(List.of(version(jobManager()), version(taskManagers()))).isEqualTo(before);
    client.resource(taskManagers()).delete();
    createCluster();
    assertThat(version(jobManager())).isEqualTo(before.get(0));
    assertThat(Ownership.isOwnedBy(taskManagers(), jobManager())).isTrue();
  }

  @Test
  void create_taskManagersOfEarlierJobManager_areWaitedFor() {
    createCluster();
    client.resource(jobManager()).delete();

    assertThat(failure(this::createCluster).getType()).isEqualTo(FailureType.CLUSTER_NOT_GONE);
    client.resource(taskManagers()).delete();
    createCluster();

    assertThat(Ownership.isOwnedBy(taskManagers(), jobManager())).isTrue();
  }

  @Test
  void create_deploymentOfSomebodyElseHasTheirName_isNameTaken() {
    Deployment foreign =
        client
            .resource(
                new DeploymentBuilder(Clusters.deployment(namespace, null))
                    .editMetadata()
                    .withName(TASK_MANAGERS)
                    .withLabels(null)
                    .endMetadata()
                    .build())
            .create();

    ApplicationFailure taken = failure(this::createCluster);

    assertThat(taken.getType()).isEqualTo(FailureType.NAME_TAKEN);
    assertThat(taken.getOriginalMessage()).contains(TASK_MANAGERS);
    assertThat(version(foreign)).isEqualTo(foreign.getMetadata().getResourceVersion());
  }

  /** A TaskManager of the old job must not register with the new JobManager. */
  @Test
  void delete_isDoneWhenTheTaskManagersAreGoneToo() {
    createCluster();
    Deployment taskManagers = taskManagers();
    ClusterDeletion deletion = deletion(JOB);
    deletion.look();
    Clusters.collect(client, jobManager());

    assertThat(type(deletion)).contains("Deployment " + TASK_MANAGERS);
    client.resource(taskManagers).delete();

    assertThat(type(deletion)).contains("Done");
  }

  /** They belong to the resource; no garbage collector would take them with the JobManager. */
  @Test
  void delete_taskManagersOfApachesOperator_goToo() {
    createCluster();
    Deployment theirs =
        client
            .apps()
            .deployments()
            .inNamespace(namespace)
            .withName(TASK_MANAGERS)
            .edit(
                it ->
                    it.edit()
                        .editMetadata()
                        .withOwnerReferences(
                            new OwnerReferenceBuilder()
                                .withApiVersion(FlinkDeployment.API_VERSION)
                                .withKind("FlinkDeployment")
                                .withName("orders")
                                .withUid(ref.uid())
                                .build())
                        .endMetadata()
                        .build());

    deletion(JOB).look();

    assertThat(isBeingDeleted(theirs)).isTrue();
  }

  private ClusterDeletion deletion(String jobId) {
    return new ClusterDeletion(
        new DeleteClusterRequest(
            ref,
            Refs.cluster(ref),
            Set.of(jobId),
            null,
            null,
            null,
            false,
            null,
            null,
            clock.in(Duration.ofMinutes(2))),
        store,
        client,
        access,
        null);
  }

  private Deployment jobManager() {
    return deployment("orders");
  }

  private Deployment taskManagers() {
    return deployment(TASK_MANAGERS);
  }
}
