package dev.sluice.activities.cluster;

import dev.sluice.activities.async.ProbeResult;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * How waits look at clusters.
 *
 * @param live asks the API server, and blocks
 * @param cache answers from memory
 * @param background for short blocking calls to the API server
 * @param clock of the worker
 */
public record ClusterAccess(
    LiveClusters live, ClusterCache cache, Executor background, Clock clock) {

  /**
   * A look that must not be taken from memory, off the watcher's thread.
   *
   * @param question blocks for a few calls to the API server. A retryable failure of it means
   *     unknown; any other one decides the wait
   */
  public <T> CompletableFuture<ProbeResult<T>> ask(Supplier<ProbeResult<T>> question) {
    return CompletableFuture.supplyAsync(() -> answer(question), background);
  }

  private static <T> ProbeResult<T> answer(Supplier<ProbeResult<T>> question) {
    try {
      return question.get();
    } catch (ApplicationFailure failure) {
      if (!failure.isNonRetryable()) {
        throw failure;
      }
      return ProbeResult.failed(failure.getType(), failure.getOriginalMessage());
    }
  }
}
