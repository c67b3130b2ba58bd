package dev.sluice.activities.cluster;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why the volumes of a pod are not mounted. The pod itself says no more than that its
 * containers are being created: only Kubernetes' events tell, so they are read, of such a pod only.
 */
public final class VolumeProblems {

  /** The kubelet cannot mount a volume: mostly, something that it names is not there. */
  public static final String FAILED_MOUNT = "FailedMount";

  /** A volume cannot be attached to the node: mostly, another node has not let it go yet. */
  public static final String FAILED_ATTACH_VOLUME = "FailedAttachVolume";

  /** A usual mount takes a moment, also where a Secret comes a little later than its pod. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Set<String> BEFORE_THE_FIRST =
      Set.of("ContainerCreating", "PodInitializing");

  /**
   * As the kubelet says it of what the pod names itself. That a driver is not registered, or a path
   * not found, is said of a node that is not ready yet, too.
   */
  private static final Pattern MISSING =
      Pattern.compile(
          "(secret|configmap|persistentvolumeclaim)s? \"[^\"]+\" not found"
              + "|references non-existent (secret|config) key");

  private final KubernetesClient client;

  /**
   * @param client stays the caller's to close
   */
  public VolumeProblems(KubernetesClient client) {
    this.client = client;
  }

  /**
   * When to ask what a pod waits for, which may be in the future; empty when it does not wait for
   * its volumes: it has no node, is being deleted, or something of it has run.
   */
  public static Optional<Instant> askAt(Pod pod) {
    if (pod.getMetadata().getDeletionTimestamp() != null
        || pod.getStatus() == null
        || !"Pending".equals(pod.getStatus().getPhase())
        || !containers(pod).allMatch(VolumeProblems::isFirst)) {
      return Optional.empty();
    }
    return pod.getStatus().getConditions().stream()
        .filter(it -> "PodScheduled".equals(it.getType()) && "True".equals(it.getStatus()))
        .map(PodCondition::getLastTransitionTime)
        .flatMap(time -> parse(time).stream())
        .findFirst()
        .map(since -> since.plus(PATIENCE));
  }

  /**
   * What its newest event says, if that is about its volumes: once they are mounted, others follow,
   * such as that its image is being pulled. Blocks for one call.
   */
  public Optional<PodProblem> of(Pod pod) {
    return client
        .v1()
        .events()
        .inNamespace(pod.getMetadata().getNamespace())
        .withField("involvedObject.uid", pod.getMetadata().getUid())
        .list()
        .getItems()
        .stream()
        .max(Comparator.comparing(VolumeProblems::at).thenComparing(event -> !isOfVolumes(event)))
        .filter(VolumeProblems::isOfVolumes)
        .map(event -> problem(pod, event));
  }

  private static PodProblem problem(Pod pod, Event event) {
    String detail = Objects.requireNonNullElse(event.getMessage(), "").strip();
    return new PodProblem(
        event.getReason(),
        "pod %s waits for its volumes: %s"
            .formatted(
                pod.getMetadata().getName(), detail.lines().findFirst().orElse(event.getReason())),
        FAILED_MOUNT.equals(event.getReason()) && isMissing(detail));
  }

  /** Something that it names is not there. A driver that is slow, or fails, is tried again. */
  static boolean isMissing(String detail) {
    return MISSING.matcher(detail).find();
  }

  private static boolean isOfVolumes(Event event) {
    return FAILED_MOUNT.equals(event.getReason()) || FAILED_ATTACH_VOLUME.equals(event.getReason());
  }

  /** As dated by whichever of the two API versions it was written with. */
  private static Instant at(Event event) {
    MicroTime precise = event.getEventTime();
    return parse(event.getLastTimestamp())
        .or(() -> precise == null ? Optional.empty() : parse(precise.getTime()))
        .orElse(Instant.EPOCH);
  }

  private static Optional<Instant> parse(@Nullable String time) {
    try {
      return time == null ? Optional.empty() : Optional.of(Instant.parse(time));
    } catch (DateTimeParseException unreadable) {
      return Optional.empty();
    }
  }

  private static Stream<ContainerStatus> containers(Pod pod) {
    return Stream.concat(
        pod.getStatus().getInitContainerStatuses().stream(),
        pod.getStatus().getContainerStatuses().stream());
  }

  /** Nothing of it has run, and nothing else is known to keep it from that. */
  private static boolean isFirst(ContainerStatus container) {
    var state = container.getState();
    var waiting = state == null ? null : state.getWaiting();
    boolean ranBefore = Objects.requireNonNullElse(container.getRestartCount(), 0) > 0;
    return !ranBefore
        && waiting != null
        && waiting.getReason() != null
        && BEFORE_THE_FIRST.contains(waiting.getReason());
  }
}
