package dev.sluice.activities.cluster;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Waits until nothing of a cluster runs any more. Memory tells when it is worth asking; the API
 * server decides. One instance for each attempt of an activity.
 */
public final class PodsGone {

  // a kubelet needs a moment after the grace period to report that the process is gone
  private static final Duration SLACK = Duration.ofSeconds(10);

  private final ClusterRef cluster;
  private final ClusterAccess access;
  private final boolean deploymentToo;
  private final long deadlineMs;

  /**
   * @param deploymentToo the Deployment must be gone as well
   * @param deadlineMs give up at this time, ms since the epoch
   */
  public PodsGone(
      ClusterRef cluster, ClusterAccess access, boolean deploymentToo, long deadlineMs) {
    this.cluster = cluster;
    this.access = access;
    this.deploymentToo = deploymentToo;
    this.deadlineMs = deadlineMs;
  }

  /**
   * Takes one look.
   *
   * @param then what to do once nothing is left; blocks
   */
  public ProbeResult<Void> look(Supplier<ProbeResult<Void>> then) {
    ClusterCache cache = access.cache();
    boolean late = access.clock().millis() >= deadlineMs;
    if (cache.synced() && !late) {
      Optional<String> left = left(cache.deployments(cluster), cache.pods(cluster));
      if (left.isPresent()) {
        return ProbeResult.notYet(left.get());
      }
    }
    return left(access.live().deployments(cluster), access.live().pods(cluster))
        .map(progress -> late ? tooLate(progress) : ProbeResult.<Void>notYet(progress))
        .orElseGet(then);
  }

  private ProbeResult<Void> tooLate(String progress) {
    return ProbeResult.failed(
        FailureType.CLUSTER_NOT_GONE,
        "cluster %s was not deleted in time: %s".formatted(cluster.display(), progress));
  }

  private Optional<String> left(List<Deployment> deployments, List<Pod> pods) {
    if (!pods.isEmpty()) {
      return Optional.of(
          "%d pods left: %s"
              .formatted(
                  pods.size(), pods.stream().map(this::pod).collect(Collectors.joining(", "))));
    }
    return deployments.stream()
        .filter(there -> deploymentToo)
        .findFirst()
        .map(there -> Ownership.owners(there) + " and is not gone yet");
  }

  private String pod(Pod pod) {
    String name = pod.getMetadata().getName();
    if (isOverdue(pod, access.clock().instant())) {
      return name
          + " (should have terminated at %s; check node %s)"
              .formatted(pod.getMetadata().getDeletionTimestamp(), node(pod));
    }
    return pod.getMetadata().getDeletionTimestamp() == null ? name : name + " (Terminating)";
  }

  /** The deletion timestamp is when the grace period ends; well after it something is wrong. */
  private static boolean isOverdue(Pod pod, Instant now) {
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
  private static String node(Pod pod) {
    String node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
    return node == null ? "(none)" : node;
  }
}
