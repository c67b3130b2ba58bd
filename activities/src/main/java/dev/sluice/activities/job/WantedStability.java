package dev.sluice.activities.job;

import dev.sluice.activities.async.Throttle;
import dev.sluice.api.common.StableAfter;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * What is asked for now: somebody may ask for less, or for more, while a job is waited for. The
 * resource is read now and then; what was read last holds while it cannot be.
 */
final class WantedStability {

  private static final Duration READ_AGAIN = Duration.ofSeconds(10);

  private final Supplier<Optional<StableAfter>> read;
  private final Executor background;
  private final Throttle throttle;
  private StableAfter last;

  /**
   * @param atFirst what was asked for when the target was frozen
   * @param read asks the API server, and may block; empty when what it finds cannot be understood
   */
  WantedStability(
      StableAfter atFirst, Supplier<Optional<StableAfter>> read, Executor background, Clock clock) {
    this.last = atFirst;
    this.read = read;
    this.background = background;
    this.throttle = new Throttle(clock, READ_AGAIN);
  }

  CompletableFuture<StableAfter> now() {
    if (!throttle.isDue()) {
      return CompletableFuture.completedFuture(last);
    }
    return CompletableFuture.supplyAsync(read, background)
        .exceptionally(unanswered -> Optional.empty())
        .thenApply(
            found -> {
              last = found.orElse(last);
              return last;
            });
  }
}
