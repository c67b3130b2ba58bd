package dev.sluice.local.node.status;

import dev.sluice.local.node.pod.ContainerView;
import dev.sluice.local.node.pod.PodView;
import dev.sluice.local.node.process.ProcessState.Ended;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.HostIP;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodIP;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import java.time.Instant;
import java.util.List;

/** A pod's status in the kubelet's words (pkg/kubelet/kubelet_pods.go, status/generate.go). */
public final class PodStatuses {
  private PodStatuses() {}

  /**
   * The whole status that a kubelet writes.
   *
   * @param now the transition time of conditions that change
   */
  public static PodStatus of(PodView pod, Instant now) {
    String phase = phase(pod);
    List<ContainerStatus> main =
        pod.mainContainers().stream().map(c -> ContainerStatuses.of(pod, c)).toList();
    List<ContainerStatus> init =
        pod.initContainers().stream().map(c -> ContainerStatuses.of(pod, c)).toList();
    List<PodCondition> conditions = PodConditions.of(pod, main, phase, now);
    PodStatusBuilder status =
        new PodStatusBuilder()
            .withPhase(phase)
            .withHostIP("127.0.0.1")
            .withHostIPs(new HostIP("127.0.0.1"))
            .withPodIP(pod.ip())
            .withPodIPs(new PodIP(pod.ip()))
            .withStartTime(Times.text(pod.admitted()))
            .withConditions(conditions)
            .withInitContainerStatuses(init)
            .withContainerStatuses(main);
    if (pod.refused() != null) {
      status.withReason("UnexpectedAdmissionError").withMessage(pod.refused());
    }
    return status.build();
  }

  private static String phase(PodView pod) {
    if (pod.refused() != null) {
      return "Failed";
    }
    if (pod.over() || (pod.deleting() && !pod.anyAlive())) {
      boolean good =
          pod.mainContainers().stream()
              .allMatch(c -> pod.view(c).ended().filter(Ended::succeeded).isPresent());
      return good ? "Succeeded" : "Failed";
    }
    return pod.initialized() && pod.mainContainers().stream().allMatch(c -> touched(pod, c))
        ? "Running"
        : "Pending";
  }

  /** Whether it runs or has run: a container that only starts leaves its pod Pending. */
  private static boolean touched(PodView pod, Container container) {
    ContainerView view = pod.view(container);
    return view.running().isPresent() || view.ended().isPresent() || view.before() != null;
  }
}
