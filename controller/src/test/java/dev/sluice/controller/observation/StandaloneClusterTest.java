package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.Labels;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.observation.ClusterProblem.Component;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A cluster whose TaskManagers are a Deployment of its own. */
class StandaloneClusterTest {
  private static final String UID = "uid-1";
  private static final String JOB_MANAGER = "uid-of-job-manager";

  private final Deployment jobManager = jobManager(Labels.TYPE_STANDALONE);
  private final Deployment taskManagers = taskManagers(JOB_MANAGER);

  @Test
  void theJobManagerIsTheOneThatIsNotOfTaskManagers() {
    Deployment ofApache = taskManagers(UID);

    ObservedCluster observed = observe(ofApache, jobManager);

    assertThat(observed.jobId()).isEqualTo("job-1");
    assertThat(observed.lacksTaskManagers()).isFalse();
    assertThat(observe(ofApache).jobManager()).isEqualTo(JobManager.MISSING);
  }

  @Test
  void itLacksTaskManagersWhenTheirDeploymentIsMissingOrAnEarlierOnes() {
    assertThat(observe(jobManager, taskManagers).lacksTaskManagers()).isFalse();
    assertThat(observe(jobManager).lacksTaskManagers()).isTrue();
    assertThat(observe(jobManager, taskManagers("uid-of-earlier")).lacksTaskManagers()).isTrue();
    taskManagers.getMetadata().setDeletionTimestamp("2026-11-21T10:00:00Z");
    assertThat(observe(jobManager, taskManagers).lacksTaskManagers()).isTrue();
  }

  @Test
  void thereAreAsManyAsTheirDeploymentIsScaledTo() {
    Deployment five =
        new DeploymentBuilder(taskManagers).withNewSpec().withReplicas(5).endSpec().build();

    assertThat(observe(withTemplate(jobManager), five).sizes().taskManagers()).isEqualTo(5);
    assertThat(observe(withTemplate(jobManager)).sizes().taskManagers()).isNull();
  }

  @Test
  void theyAreNotScaledBesideAJobManagerThatIsStopped() {
    Deployment stopped =
        new DeploymentBuilder(jobManager).withNewSpec().withReplicas(0).endSpec().build();

    assertThat(ClusterObserver.taskManagers(UID, List.of(jobManager, taskManagers)))
        .contains(taskManagers);
    assertThat(ClusterObserver.taskManagers(UID, List.of(stopped, taskManagers))).isEmpty();
    assertThat(ClusterObserver.taskManagers("uid-2", List.of(jobManager, taskManagers))).isEmpty();
  }

  @Test
  void inNativeModeThereIsNoneToLack() {
    assertThat(observe(jobManager(Labels.TYPE_NATIVE)).lacksTaskManagers()).isFalse();
  }

  @Test
  void aQuotaOnTaskManagersIsToldAsTheirs() {
    Deployment refused =
        new DeploymentBuilder(taskManagers)
            .withNewStatus()
            .addNewCondition()
            .withType("ReplicaFailure")
            .withStatus("True")
            .withMessage("exceeded quota: small")
            .endCondition()
            .endStatus()
            .build();

    assertThat(observe(jobManager, refused).health().problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.reason()).isEqualTo(Reasons.FAILED_CREATE);
              assertThat(problem.component()).isEqualTo(Component.TASK_MANAGER);
              assertThat(problem.message())
                  .startsWith("TaskManager: Kubernetes refuses a TaskManager pod")
                  .contains("Remove what refuses it");
            });
  }

  private static ObservedCluster observe(Deployment... deployments) {
    return ClusterObserver.of(UID, List.of(deployments), List.of(), Instant.EPOCH);
  }

  private static Deployment withTemplate(Deployment deployment) {
    return new DeploymentBuilder(deployment)
        .withNewSpec()
        .withNewTemplate()
        .endTemplate()
        .endSpec()
        .build();
  }

  private static Deployment jobManager(String type) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName("orders")
        .withUid(JOB_MANAGER)
        .addToAnnotations("sluice.dev/job-id", "job-1")
        .addToLabels(Labels.TYPE, type)
        .addToLabels(Labels.COMPONENT, Labels.COMPONENT_JOB_MANAGER)
        .addNewOwnerReference()
        .withUid(UID)
        .endOwnerReference()
        .endMetadata()
        .build();
  }

  private static Deployment taskManagers(String owner) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName("orders-taskmanager")
        .addToLabels(Labels.TYPE, Labels.TYPE_STANDALONE)
        .addToLabels(Labels.COMPONENT, Labels.COMPONENT_TASK_MANAGER)
        .addNewOwnerReference()
        .withUid(owner)
        .endOwnerReference()
        .endMetadata()
        .build();
  }
}
