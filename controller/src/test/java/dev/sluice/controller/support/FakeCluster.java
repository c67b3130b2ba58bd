package dev.sluice.controller.support;

import dev.sluice.api.Annotations;
import dev.sluice.api.Labels;
import dev.sluice.api.deployment.FlinkDeployment;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/** The Kubernetes objects of a cluster, without processes behind them. */
public final class FakeCluster {

  private final KubernetesClient client;
  private final String namespace;
  private final String name;
  private final Map<String, String> labels;

  /** Of this resource. */
  public FakeCluster(KubernetesClient client, String namespace, String name) {
    this.client = client;
    this.namespace = namespace;
    this.name = name;
    this.labels =
        Map.of(
            Labels.APP, name,
            Labels.TYPE, Labels.TYPE_NATIVE,
            Labels.COMPONENT, Labels.COMPONENT_JOB_MANAGER);
  }

  /** Creates Deployment and JobManager pod, ready. */
  public FakeCluster start(String jobId) {
    String uid =
        client
            .resources(FlinkDeployment.class)
            .inNamespace(namespace)
            .withName(name)
            .get()
            .getMetadata()
            .getUid();
    client.resource(deployment(jobId, uid)).create();
    pod("jm-1");
    return this;
  }

  /** Creates a JobManager pod, ready. */
  public void pod(String suffix) {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(name + "-" + suffix)
            .withLabels(labels)
            .endMetadata()
            .withNewSpec()
            .withContainers(new ContainerBuilder().withName("flink").withImage("flink").build())
            .endSpec()
            .build();
    client.resource(pod).create();
    status(
        suffix,
        new PodStatusBuilder()
            .withPhase("Running")
            .addNewCondition()
            .withType("Ready")
            .withStatus("True")
            .endCondition()
            .build());
  }

  /** A TaskManager pod appears, and is killed for its memory. */
  public void taskManagerIsKilledForItsMemory(String suffix) {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(name + "-" + suffix)
            .withLabels(
                Map.of(
                    Labels.APP, name,
                    Labels.TYPE, Labels.TYPE_NATIVE,
                    Labels.COMPONENT, Labels.COMPONENT_TASK_MANAGER))
            .endMetadata()
            .withNewSpec()
            .withContainers(new ContainerBuilder().withName("flink").withImage("flink").build())
            .endSpec()
            .build();
    client.resource(pod).create();
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    status(
        suffix,
        new PodStatusBuilder()
            .withPhase("Failed")
            .addNewContainerStatus()
            .withName("flink")
            .withImage("flink")
            .withImageID("flink")
            .withReady(false)
            .withRestartCount(0)
            .withNewState()
            .withNewTerminated()
            .withExitCode(137)
            .withReason("OOMKilled")
            .withStartedAt(now)
            .withFinishedAt(now)
            .endTerminated()
            .endState()
            .endContainerStatus()
            .build());
  }

  /** A pod is no longer ready; it stays. */
  public void notReady(String suffix) {
    status(
        suffix,
        new PodStatusBuilder()
            .withPhase("Running")
            .addNewCondition()
            .withType("Ready")
            .withStatus("False")
            .endCondition()
            .build());
  }

  private void status(String suffix, PodStatus status) {
    client
        .pods()
        .inNamespace(namespace)
        .withName(name + "-" + suffix)
        .editStatus(there -> new PodBuilder(there).withStatus(status).build());
  }

  /** Deletes a pod at once. */
  public void kill(String suffix) {
    client.pods().inNamespace(namespace).withName(name + "-" + suffix).withGracePeriod(0).delete();
  }

  /** Deletes everything. */
  public void stop() {
    client.apps().deployments().inNamespace(namespace).withName(name).delete();
    client.pods().inNamespace(namespace).withLabel(Labels.APP, name).withGracePeriod(0).delete();
  }

  private Deployment deployment(String jobId, String ownerUid) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .withLabels(labels)
        .withAnnotations(Map.of(Annotations.JOB_ID, jobId))
        .addNewOwnerReference()
        .withApiVersion(FlinkDeployment.API_VERSION)
        .withKind(FlinkDeployment.KIND)
        .withName(name)
        .withUid(ownerUid)
        .endOwnerReference()
        .endMetadata()
        .withNewSpec()
        .withNewSelector()
        .withMatchLabels(labels)
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .withLabels(labels)
        .endMetadata()
        .withNewSpec()
        .withContainers(new ContainerBuilder().withName("flink").withImage("flink").build())
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }
}
