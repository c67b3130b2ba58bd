package dev.sluice.activities.cluster;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reports a pod problem only after it has persisted for 10 s: a registry may be slow, a Secret may
 * come a moment later. One instance watches one cluster.
 */
public final class ProblemDebouncer {

  private static final Duration LONG_ENOUGH = Duration.ofSeconds(10);

  private final Clock clock;
  private volatile @Nullable Instant since;

  public ProblemDebouncer(Clock clock) {
    this.clock = clock;
  }

  /** The first lasting problem, once there has been one without a break for ten seconds. */
  public Optional<PodProblem> in(List<PodProblem> seen) {
    Optional<PodProblem> lasting = seen.stream().filter(PodProblem::lasting).findFirst();
    if (lasting.isEmpty()) {
      since = null;
      return lasting;
    }
    Instant now = clock.instant();
    Instant first = since;
    if (first == null) {
      first = now;
      since = now;
    }
    return now.isBefore(first.plus(LONG_ENOUGH)) ? Optional.empty() : lasting;
  }

  /** The problem is gone; the next one counts anew. */
  void reset() {
    since = null;
  }
}
