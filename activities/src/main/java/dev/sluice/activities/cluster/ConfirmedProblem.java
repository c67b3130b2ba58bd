package dev.sluice.activities.cluster;

import dev.sluice.workflows.model.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pod problem that a wait may be ended for: by a cache that is in sync it has persisted for 10 s,
 * in which a slow registry answers or a Secret is created, and the API server reports it, too. One
 * instance watches one cluster.
 */
public final class ConfirmedProblem {

  private static final Duration LONG_ENOUGH = Duration.ofSeconds(10);

  private final ClusterRef cluster;
  private final ClusterAccess access;
  private @Nullable Instant since;

  public ConfirmedProblem(ClusterRef cluster, ClusterAccess access) {
    this.cluster = cluster;
    this.access = access;
  }

  /** The problem to end the wait for; empty when there is none, or none for long enough. */
  public synchronized Optional<PodProblem> among(List<PodProblem> seen) {
    if (!access.cache().synced()) {
      return Optional.empty();
    }
    Instant now = access.clock().instant();
    Instant from = since == null ? now : since;
    since = seen.stream().anyMatch(PodProblem::lasting) ? from : null;
    if (since == null || now.isBefore(from.plus(LONG_ENOUGH))) {
      return Optional.empty();
    }
    try {
      Optional<PodProblem> still =
          PodProblems.of(access.live().pods(cluster), access.live().deployments(cluster)).stream()
              .filter(PodProblem::lasting)
              .findFirst();
      since = still.isEmpty() ? null : from;
      return still;
    } catch (RuntimeException unanswered) {
      return Optional.empty();
    }
  }
}
