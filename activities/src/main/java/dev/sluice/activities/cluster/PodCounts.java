package dev.sluice.activities.cluster;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** How many pods of a cluster are in which phase, in words: {@code 1 Running, 2 Pending}. */
public final class PodCounts {

  private PodCounts() {}

  /** The TaskManagers; {@code none} when there are none. */
  public static String taskManagers(List<Pod> pods) {
    return words(pods, ClusterSelector::isTaskManager);
  }

  /** The JobManagers; {@code none} when there are none. */
  public static String jobManagers(List<Pod> pods) {
    return words(pods, pod -> !ClusterSelector.isTaskManager(pod));
  }

  /** Whether Flink has got any pod for a TaskManager. */
  public static boolean anyTaskManager(List<Pod> pods) {
    return pods.stream().anyMatch(ClusterSelector::isTaskManager);
  }

  /** Whether a TaskManager was started and is not on its way out. */
  public static boolean anyTaskManagerRuns(List<Pod> pods) {
    return pods.stream().anyMatch(pod -> ClusterSelector.isTaskManager(pod) && isRunning(pod));
  }

  /** Whether its containers were started and it is not on its way out. */
  static boolean isRunning(Pod pod) {
    return phase(pod).equals("Running");
  }

  /** Whether all its containers have ended permanently. */
  static boolean isOver(Pod pod) {
    String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    return "Succeeded".equals(phase) || "Failed".equals(phase);
  }

  private static String words(List<Pod> pods, Predicate<Pod> which) {
    Map<String, Long> counts =
        pods.stream()
            .filter(which)
            .map(PodCounts::phase)
            .collect(
                Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    return counts.isEmpty()
        ? "none"
        : counts.entrySet().stream()
            .map(entry -> entry.getValue() + " " + entry.getKey())
            .collect(Collectors.joining(", "));
  }

  private static String phase(Pod pod) {
    if (pod.getMetadata().getDeletionTimestamp() != null) {
      return "Terminating";
    }
    return pod.getStatus() == null || pod.getStatus().getPhase() == null
        ? "Pending"
        : pod.getStatus().getPhase();
  }
}
