package dev.sluice.activities.async;

import java.util.concurrent.CompletableFuture;

/**
 * Takes one look at what is waited for. It is called on the watcher's only thread and must not
 * block: it starts something asynchronous or reads memory. Failing (its future or itself) means
 * that nothing could be told.
 *
 * @param <T> what the activity returns
 */
@FunctionalInterface
public interface WaitProbe<T> {

  /**
   * Looks.
   *
   * @param guard to be asked right before anything is changed
   */
  CompletableFuture<ProbeResult<T>> look(ActGuard guard);
}
