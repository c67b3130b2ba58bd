package dev.sluice.activities.cluster;

import dev.sluice.workflows.model.ClusterRef;
import java.util.List;
import java.util.Optional;

/**
 * A pod problem that a wait may be ended for: it has persisted for ten seconds by a cache that is
 * in sync, and the API server says the same. One instance watches one cluster.
 */
public final class ConfirmedProblem {

  private final ClusterRef cluster;
  private final ClusterAccess access;
  private final ProblemDebouncer lasting;

  public ConfirmedProblem(ClusterRef cluster, ClusterAccess access) {
    this.cluster = cluster;
    this.access = access;
    this.lasting = new ProblemDebouncer(access.clock());
  }

  /** The problem to end the wait for; empty when there is none, or none for long enough. */
  public Optional<PodProblem> among(List<PodProblem> seen) {
    if (!access.cache().synced() || lasting.in(seen).isEmpty()) {
      return Optional.empty();
    }
    try {
      return confirmed();
    } catch (RuntimeException unanswered) {
      return Optional.empty();
    }
  }

  private Optional<PodProblem> confirmed() {
    Optional<PodProblem> still =
        PodProblems.of(access.live().pods(cluster), access.live().deployments(cluster)).stream()
            .filter(PodProblem::lasting)
            .findFirst();
    if (still.isEmpty()) {
      lasting.reset();
    }
    return still;
  }
}
