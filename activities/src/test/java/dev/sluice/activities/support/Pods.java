package dev.sluice.activities.support;

import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Pods of a native cluster named {@code orders}, as a kubelet would report them. */
public final class Pods {

  private Pods() {}

  public static Pod jobManager() {
    return pod("orders-0", "jobmanager");
  }

  public static Pod taskManager() {
    return pod("orders-taskmanager-1-1", "taskmanager");
  }

  /** One that runs in this container. */
  public static Pod jobManager(String container) {
    return new PodBuilder(running(jobManager()))
        .editStatus()
        .addNewContainerStatus()
        .withName("flink-main-container")
        .withContainerID(container)
        .endContainerStatus()
        .endStatus()
        .build();
  }

  public static Pod running(Pod pod) {
    return new PodBuilder(pod)
        .editStatus()
        .withPhase("Running")
        .withPodIP("127.0.1.2")
        .endStatus()
        .build();
  }

  /** It runs, and its probes say that it may be used. */
  public static Pod ready(Pod pod) {
    return new PodBuilder(running(pod))
        .editStatus()
        .addNewCondition()
        .withType("Ready")
        .withStatus("True")
        .endCondition()
        .endStatus()
        .build();
  }

  /** Its container waits, e.g. because of {@code ErrImagePull}. */
  public static Pod waiting(Pod pod, String reason, String message, int restarts) {
    return new PodBuilder(pod)
        .editStatus()
        .withContainerStatuses(
            new ContainerStatusBuilder()
                .withName("flink-main-container")
                .withImage("flink:nope")
                .withRestartCount(restarts)
                .withState(
                    new ContainerStateBuilder()
                        .withNewWaiting()
                        .withReason(reason)
                        .withMessage(message)
                        .endWaiting()
                        .build())
                .withLastState(
                    new ContainerStateBuilder()
                        .withNewTerminated()
                        .withExitCode(2)
                        .withReason("Error")
                        .endTerminated()
                        .build())
                .build())
        .endStatus()
        .build();
  }

  public static Pod unschedulable(Pod pod, String message) {
    return new PodBuilder(pod)
        .editStatus()
        .addNewCondition()
        .withType("PodScheduled")
        .withStatus("False")
        .withReason("Unschedulable")
        .withMessage(message)
        .endCondition()
        .endStatus()
        .build();
  }

  /**
   * Creates a JobManager that runs.
   *
   * @param container status of its main container
   */
  public static Pod create(KubernetesClient client, String namespace, ContainerStatus container) {
    Pod pod =
        new PodBuilder(jobManager())
            .editMetadata()
            .withNamespace(namespace)
            .editFirstOwnerReference()
            .withController(true)
            .endOwnerReference()
            .endMetadata()
            .withStatus(null)
            .withNewSpec()
            .addNewContainer()
            .withName("flink-main-container")
            .withImage("flink:2.2")
            .endContainer()
            .endSpec()
            .build();
    return client
        .resource(
            new PodBuilder(client.resource(pod).create())
                .withNewStatus()
                .withPhase("Running")
                .withContainerStatuses(
                    new ContainerStatusBuilder(container)
                        .withName("flink-main-container")
                        .withImage("flink:2.2")
                        .withImageID("flink")
                        .build())
                .endStatus()
                .build())
        .updateStatus();
  }

  private static Pod pod(String name, String component) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .addToLabels("app", "orders")
        .addToLabels("type", "flink-native-kubernetes")
        .addToLabels("component", component)
        .addNewOwnerReference()
        .withApiVersion("apps/v1")
        .withKind("ReplicaSet")
        .withName("orders-1")
        .withUid("rs")
        .endOwnerReference()
        .endMetadata()
        .withNewStatus()
        .withPhase("Pending")
        .endStatus()
        .build();
  }
}
