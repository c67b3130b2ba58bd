package dev.sluice.activities.cluster;

import dev.sluice.activities.async.Throttle;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The volumes that pods of a cluster wait for, for a wait that looks again and again: asked for
 * once in a while, and only while a pod waits for long. One instance watches one cluster.
 */
public final class VolumeWatch {

  private static final Duration AGAIN = Duration.ofSeconds(10);

  private final ClusterAccess access;
  private final Throttle seldom;
  private volatile List<PodProblem> last = List.of();

  public VolumeWatch(ClusterAccess access) {
    this.access = access;
    this.seldom = new Throttle(access.clock(), AGAIN);
  }

  /**
   * What pods wait for, the lasting ones first. What is not known now is what was found last.
   *
   * @param pods of the cluster, as the cache has them
   */
  public CompletableFuture<List<PodProblem>> of(List<Pod> pods) {
    Instant now = access.clock().instant();
    List<Pod> waiting =
        pods.stream()
            .filter(pod -> VolumeProblems.askAt(pod).filter(at -> !at.isAfter(now)).isPresent())
            .toList();
    if (waiting.isEmpty()) {
      last = List.of();
    } else if (seldom.isDue()) {
      return CompletableFuture.supplyAsync(() -> found(waiting), access.background())
          .exceptionally(unanswered -> last);
    }
    return CompletableFuture.completedFuture(last);
  }

  private List<PodProblem> found(List<Pod> waiting) {
    List<PodProblem> found =
        waiting.stream()
            .flatMap(pod -> access.live().volumeProblem(pod).stream())
            .sorted((a, b) -> Boolean.compare(b.lasting(), a.lasting()))
            .toList();
    last = found;
    return found;
  }
}
