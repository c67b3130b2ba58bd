package dev.sluice.activities.cluster;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells a problem that stays from one that passes: a registry that stutters, a Secret that comes a
 * moment later. One instance watches one cluster.
 */
public final class ProblemDebouncer {

  private static final Duration LONG_ENOUGH = Duration.ofSeconds(10);

  private final Clock clock;
  private @Nullable Instant since;

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
    if (since == null) {
      since = clock.instant();
    }
    return clock.instant().isBefore(since.plus(LONG_ENOUGH)) ? Optional.empty() : lasting;
  }
}
