package dev.sluice.local.node.status;

import dev.sluice.local.node.pod.PodView;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodReadinessGate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The four conditions of a pod that a kubelet keeps. */
final class PodConditions {
  private final PodView pod;
  private final List<PodCondition> current;
  private final Instant now;

  private PodConditions(PodView pod, Instant now) {
    this.pod = pod;
    this.now = now;
    List<PodCondition> known =
        pod.pod().getStatus() == null ? null : pod.pod().getStatus().getConditions();
    this.current = known == null ? List.of() : known;
  }

  static List<PodCondition> of(
      PodView pod, List<ContainerStatus> containers, String phase, Instant now) {
    PodConditions conditions = new PodConditions(pod, now);
    boolean completed = phase.equals("Succeeded");
    String unready =
        containers.stream()
            .filter(status -> !Boolean.TRUE.equals(status.getReady()))
            .map(ContainerStatus::getName)
            .collect(Collectors.joining(" "));
    String failed = phase.equals("Failed") ? "PodFailed" : "ContainersNotReady";
    String reason = completed ? "PodCompleted" : failed;
    String message = completed ? null : "containers with unready status: [" + unready + "]";
    boolean containersReady = unready.isEmpty() && phase.equals("Running");
    Optional<String> gate = conditions.closedGate();
    boolean ready = containersReady && gate.isEmpty();
    return List.of(
        conditions.condition("PodScheduled", true, "", null),
        conditions.initialized(),
        conditions.condition("ContainersReady", containersReady, reason, message),
        containersReady && !ready
            ? conditions.condition(
                "Ready",
                false,
                "ReadinessGatesNotReady",
                "the readiness gate " + gate.orElse("") + " is not True")
            : conditions.condition("Ready", ready, reason, message));
  }

  private PodCondition initialized() {
    String waiting =
        pod.initContainers().stream()
            .filter(c -> pod.view(c).ended().filter(ended -> ended.succeeded()).isEmpty())
            .map(Container::getName)
            .collect(Collectors.joining(" "));
    return condition(
        "Initialized",
        pod.initialized(),
        "ContainersNotInitialized",
        "containers with incomplete status: [" + waiting + "]");
  }

  private Optional<String> closedGate() {
    List<PodReadinessGate> gates = pod.pod().getSpec().getReadinessGates();
    return (gates == null ? List.<PodReadinessGate>of() : gates)
        .stream()
            .map(PodReadinessGate::getConditionType)
            .filter(type -> find(type).filter(c -> "True".equals(c.getStatus())).isEmpty())
            .findFirst();
  }

  private Optional<PodCondition> find(String type) {
    return current.stream().filter(c -> c.getType().equals(type)).findFirst();
  }

  private PodCondition condition(
      String type, boolean holds, String reason, @Nullable String message) {
    String status = holds ? "True" : "False";
    String since =
        find(type)
            .filter(c -> status.equals(c.getStatus()))
            .map(PodCondition::getLastTransitionTime)
            .orElse(Times.text(now));
    PodConditionBuilder condition =
        new PodConditionBuilder().withType(type).withStatus(status).withLastTransitionTime(since);
    // a condition that holds says nothing: empty texts, for what is left out of a patch stays
    condition.withReason(holds ? "" : reason);
    condition.withMessage(holds || message == null ? "" : message);
    return condition.build();
  }
}
