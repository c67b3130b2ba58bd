package dev.sluice.e2e.cluster;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;

/**
 * The pod of the controller or of the worker.
 *
 * @param pod as the API server has it
 * @param restarts of its container
 * @param ready as its readiness probe says
 */
record OperatorPod(Pod pod, int restarts, boolean ready) {

  static final String NAMESPACE = "sluice-system";

  static OperatorPod of(KubernetesClient kubernetes, String component) {
    Pod pod =
        kubernetes
            .pods()
            .inNamespace(NAMESPACE)
            .withLabel("app.kubernetes.io/component", component)
            .list()
            .getItems()
            .get(0);
    ContainerStatus status = pod.getStatus().getContainerStatuses().get(0);
    return new OperatorPod(pod, status.getRestartCount(), status.getReady());
  }
}
