package dev.sluice.activities.cluster;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** How a pod's end goes. */
final class PodEnd {

  // a kubelet needs a moment after the grace period to report that the process is gone
  private static final Duration SLACK = Duration.ofSeconds(10);

  private PodEnd() {}

  /** The deletion timestamp is when the grace period ends; well after it something is wrong. */
  static boolean isOverdue(Pod pod, Instant now) {
    String deletion = pod.getMetadata().getDeletionTimestamp();
    if (deletion == null) {
      return false;
    }
    try {
      return now.isAfter(Instant.parse(deletion).plus(SLACK));
    } catch (DateTimeParseException unreadable) {
      return false;
    }
  }

  /** The node it runs on. */
  static String node(Pod pod) {
    String node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
    return node == null ? "(none)" : node;
  }
}
