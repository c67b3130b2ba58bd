package dev.sluice.activities.cluster;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Throttle;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Waits until nothing of a cluster runs any more. The API server decides; it is asked once the
 * cache is empty, and every 30 s before: the watch that feeds the cache may hang. One instance for
 * each attempt of an activity.
 */
public final class PodsGone {

  private static final Duration DESPITE_CACHE = Duration.ofSeconds(30);

  private final ClusterRef cluster;
  private final ClusterAccess access;
  private final Throttle despiteCache;

  public PodsGone(ClusterRef cluster, ClusterAccess access) {
    this.cluster = cluster;
    this.access = access;
    this.despiteCache = new Throttle(access.clock(), DESPITE_CACHE);
  }

  /**
   * Takes one look.
   *
   * @param then what to do once nothing is left; blocks
   */
  public ProbeResult<Void> look(Supplier<ProbeResult<Void>> then) {
    ClusterCache cache = access.cache();
    Optional<String> cached =
        cache.synced() ? left(cache.deployments(cluster), cache.pods(cluster)) : Optional.empty();
    return cached
        .filter(it -> !despiteCache.isDue())
        .or(() -> left(access.live().deployments(cluster), access.live().pods(cluster)))
        .map(ProbeResult::<Void>notYet)
        .orElseGet(then);
  }

  private Optional<String> left(List<Deployment> deployments, List<Pod> pods) {
    if (!pods.isEmpty()) {
      String names =
          pods.stream().map(it -> it.getMetadata().getName()).collect(Collectors.joining(", "));
      return Optional.of("%d pods left: %s".formatted(pods.size(), names));
    }
    return deployments.stream()
        .findFirst()
        .map(there -> Ownership.owners(there) + " and is not gone yet");
  }
}
