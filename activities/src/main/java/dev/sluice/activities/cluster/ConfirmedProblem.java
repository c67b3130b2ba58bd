package dev.sluice.activities.cluster;

import dev.sluice.workflows.model.ClusterRef;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A pod problem that a wait may be ended for: it has persisted for ten seconds by a cache that is
 * in sync, and the API server says the same. One instance watches one cluster.
 */
public final class ConfirmedProblem {

  private final ClusterRef cluster;
  private final ClusterCache cache;
  private final LiveClusters live;
  private final Executor background;
  private final ProblemDebouncer lasting;

  /**
   * @param background for short blocking calls to the API server
   */
  public ConfirmedProblem(
      ClusterRef cluster, ClusterCache cache, LiveClusters live, Executor background, Clock clock) {
    this.cluster = cluster;
    this.cache = cache;
    this.live = live;
    this.background = background;
    this.lasting = new ProblemDebouncer(clock);
  }

  /** The problem to end the wait for; empty when there is none, or none for long enough. */
  public CompletableFuture<Optional<PodProblem>> among(List<PodProblem> seen) {
    if (!cache.synced() || lasting.in(seen).isEmpty()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return CompletableFuture.supplyAsync(this::confirmed, background)
        .exceptionally(unanswered -> Optional.empty());
  }

  private Optional<PodProblem> confirmed() {
    Optional<PodProblem> still =
        PodProblems.of(live.pods(cluster), live.deployment(cluster).orElse(null)).stream()
            .filter(PodProblem::lasting)
            .findFirst();
    if (still.isEmpty()) {
      lasting.reset();
    }
    return still;
  }
}
