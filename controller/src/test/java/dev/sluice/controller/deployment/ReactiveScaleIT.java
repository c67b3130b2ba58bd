package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.Labels;
import dev.sluice.api.common.TaskManagerInfo;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import dev.sluice.api.deployment.TaskManagerSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v1.ScaleBuilder;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import io.fabric8.kubernetes.client.dsl.Scalable;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** In reactive mode, and of a session cluster, TaskManagers come and go while jobs go on. */
class ReactiveScaleIT extends ReconcilerScenario {

  @Test
  void the_scale_of_the_resource_reaches_the_Deployment_while_the_job_goes_on() {
    given_generation_1_is_deployed(reactive(1));
    given_its_TaskManagers(1);
    String run = runId();
    Deployment before = taskManagers().get();

    scale(3);

    soon().until(() -> replicas() == 3);
    soon().until(() -> condition("Ready").equals("True/UpToDate/2"));
    soon().until(() -> status().replicas() == 3);
    assertThat(status().labelSelector()).isEqualTo("app=orders,component=taskmanager");
    assertThat(taskManagers().get().getSpec().getTemplate())
        .isEqualTo(before.getSpec().getTemplate());
    assertThat(runId()).isEqualTo(run);
    assertThat(events("SpecChanged")).isEmpty();
    soon()
        .untilAsserted(
            () ->
                assertThat(events("Scaling"))
                    .singleElement()
                    .satisfies(
                        event ->
                            assertThat(event.getMessage())
                                .startsWith("TaskManagers: 3 instead of 1;")));
  }

  @Test
  void what_somebody_else_scaled_stays_until_the_spec_has_another_number() {
    given_generation_1_is_deployed(reactive(2));
    given_its_TaskManagers(2);

    scale(taskManagers(), 5);
    soon().until(() -> status().replicas() == 5);
    annotate("sluice.dev/retry", "now"); // another reconciliation
    soon().until(() -> "now".equals(resource().getStatus().requests().retry()));
    assertThat(replicas()).isEqualTo(5);

    scale(3);
    soon().until(() -> replicas() == 3);
  }

  /** Its jobs go on with more of them; Flink restarts those that had tasks on one that goes. */
  @Test
  void a_standalone_session_cluster_is_scaled_without_an_operation() {
    given_generation_1_is_deployed(standalone(1).withJob(null));
    given_its_TaskManagers(1);
    String run = runId();

    scale(3);

    soon().until(() -> replicas() == 3);
    soon().until(() -> condition("Ready").equals("True/UpToDate/2"));
    assertThat(runId()).isEqualTo(run);
  }

  private static FlinkDeploymentSpec standalone(int taskManagers) {
    FlinkDeploymentSpec spec = DeployedSpec.valid();
    TaskManagerSpec each = spec.taskManager();
    return spec.withMode(KubernetesDeploymentMode.STANDALONE)
        .withTaskManager(
            new TaskManagerSpec(
                each.resource(), each.resources(), taskManagers, each.podTemplate()));
  }

  private static FlinkDeploymentSpec reactive(int taskManagers) {
    FlinkDeploymentSpec spec = standalone(taskManagers);
    return spec.withConfiguration(
        spec.configuration().withAll(Map.of("scheduler-mode", "reactive")));
  }

  /** As {@code kubectl scale} and a HorizontalPodAutoscaler do. */
  private void scale(int replicas) {
    scale(
        api.client().resources(FlinkDeployment.class).inNamespace(namespace).withName(NAME),
        replicas);
  }

  private static void scale(Scalable<?> what, int replicas) {
    what.scale(new ScaleBuilder(what.scale()).editSpec().withReplicas(replicas).endSpec().build());
  }

  private TaskManagerInfo status() {
    return resource().getStatus().taskManager();
  }

  private int replicas() {
    return taskManagers().get().getSpec().getReplicas();
  }

  private RollableScalableResource<Deployment> taskManagers() {
    return api.client().apps().deployments().inNamespace(namespace).withName(NAME + "-taskmanager");
  }

  private void given_its_TaskManagers(int replicas) {
    Deployment jobManager =
        api.client().apps().deployments().inNamespace(namespace).withName(NAME).get();
    Map<String, String> labels =
        Map.of(
            Labels.APP, NAME,
            Labels.TYPE, Labels.TYPE_STANDALONE,
            Labels.COMPONENT, Labels.COMPONENT_TASK_MANAGER);
    api.client()
        .resource(
            new DeploymentBuilder(jobManager)
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(NAME + "-taskmanager")
                .withLabels(labels)
                .addNewOwnerReference()
                .withApiVersion("apps/v1")
                .withKind("Deployment")
                .withName(NAME)
                .withUid(jobManager.getMetadata().getUid())
                .endOwnerReference()
                .endMetadata()
                .editSpec()
                .withReplicas(replicas)
                .withNewSelector()
                .withMatchLabels(labels)
                .endSelector()
                .editTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .endTemplate()
                .endSpec()
                .withStatus(null)
                .build())
        .create();
    soon().until(() -> status().replicas() == replicas);
  }
}
