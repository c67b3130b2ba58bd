package dev.sluice.local.node.pod;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.HostIP;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodIP;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A pod's status in the kubelet's words (pkg/kubelet/kubelet_pods.go, status/generate.go).
 *
 * @param now the transition time of conditions that change
 */
record PodStatuses(PodView pod, Instant now) {

  PodStatus status() {
    List<ContainerStatus> main =
        pod.main().stream().map(it -> new ContainerStatuses(pod, it).status()).toList();
    List<ContainerStatus> init =
        pod.init().stream().map(it -> new ContainerStatuses(pod, it).status()).toList();
    String phase = phase();
    return new PodStatusBuilder()
        .withPhase(phase)
        .withHostIP("127.0.0.1")
        .withHostIPs(new HostIP("127.0.0.1"))
        .withPodIP(pod.ip())
        .withPodIPs(new PodIP(pod.ip()))
        .withStartTime(text(pod.admitted()))
        .withConditions(conditions(main, phase))
        .withInitContainerStatuses(init)
        .withContainerStatuses(main)
        .build();
  }

  /** Kubernetes' times: RFC 3339 in UTC, whole seconds. */
  static String text(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private String phase() {
    if (pod.over() || (pod.deleting() && !pod.anyAlive())) {
      return pod.main().stream().allMatch(ContainerView::succeeded) ? "Succeeded" : "Failed";
    }
    boolean all = pod.initialized() && pod.main().stream().allMatch(PodStatuses::touched);
    return all ? "Running" : "Pending";
  }

  /** Whether it runs or has run: a container that only starts leaves its pod Pending. */
  private static boolean touched(ContainerView view) {
    return view.running().isPresent() || view.ended().isPresent() || view.before() != null;
  }

  private List<PodCondition> conditions(List<ContainerStatus> containers, String phase) {
    String unready =
        containers.stream()
            .filter(status -> !Boolean.TRUE.equals(status.getReady()))
            .map(ContainerStatus::getName)
            .collect(Collectors.joining(" "));
    boolean completed = phase.equals("Succeeded");
    String failed = phase.equals("Failed") ? "PodFailed" : "ContainersNotReady";
    String reason = completed ? "PodCompleted" : failed;
    String message = completed ? null : "containers with unready status: [" + unready + "]";
    boolean ready = unready.isEmpty() && phase.equals("Running");
    String waiting =
        pod.init().stream()
            .filter(it -> !it.succeeded())
            .map(ContainerView::name)
            .collect(Collectors.joining(" "));
    return List.of(
        condition("PodScheduled", true, "", null),
        condition(
            "Initialized",
            pod.initialized(),
            "ContainersNotInitialized",
            "containers with incomplete status: [" + waiting + "]"),
        condition("ContainersReady", ready, reason, message),
        condition("Ready", ready, reason, message));
  }

  private PodCondition condition(
      String type, boolean holds, String reason, @Nullable String message) {
    String status = holds ? "True" : "False";
    String since =
        Stream.ofNullable(pod.pod().getStatus())
            .flatMap(known -> known.getConditions().stream())
            .filter(c -> c.getType().equals(type) && status.equals(c.getStatus()))
            .map(PodCondition::getLastTransitionTime)
            .findFirst()
            .orElse(text(now));
    // a condition that holds says nothing: empty texts, for what is left out of a patch stays
    return new PodConditionBuilder()
        .withType(type)
        .withStatus(status)
        .withLastTransitionTime(since)
        .withReason(holds ? "" : reason)
        .withMessage(holds || message == null ? "" : message)
        .build();
  }
}
