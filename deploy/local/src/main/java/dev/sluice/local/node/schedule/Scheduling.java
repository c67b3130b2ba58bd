package dev.sluice.local.node.schedule;

import dev.sluice.local.node.fault.Faults;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.Optional;

/** What to do about a pod that is bound to no node. */
public sealed interface Scheduling {

  /** Bind it to the local node. */
  record Bind() implements Scheduling {}

  /** Say why it is not bound. */
  record Hold(String message) implements Scheduling {}

  /** Nothing to do. */
  record Leave() implements Scheduling {}

  /**
   * Requests and limits are not looked at: processes of this machine need far less than they say.
   */
  static Scheduling of(Pod pod, Faults faults) {
    boolean gated =
        pod.getSpec().getSchedulingGates() != null && !pod.getSpec().getSchedulingGates().isEmpty();
    if (gated || pod.getMetadata().getDeletionTimestamp() != null) {
      return new Leave();
    }
    if (!faults.holds(pod)) {
      return new Bind();
    }
    String message = "0/1 nodes are available: the pod is held Pending by a fault on purpose";
    return said(pod, message) ? new Leave() : new Hold(message);
  }

  private static boolean said(Pod pod, String message) {
    return pod.getStatus() != null
        && pod.getStatus().getConditions() != null
        && pod.getStatus().getConditions().stream()
            .filter(c -> c.getType().equals("PodScheduled"))
            .map(PodCondition::getMessage)
            .map(Optional::ofNullable)
            .anyMatch(known -> known.filter(message::equals).isPresent());
  }
}
