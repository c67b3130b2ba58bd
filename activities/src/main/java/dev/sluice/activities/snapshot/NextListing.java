package dev.sluice.activities.snapshot;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One listing for all callers that ask for it before it begins: a thousand calls at once cost two
 * listings, and no answer is older than its call. One listing at a time. May be used from any
 * thread.
 *
 * @param <V> what is made of a listing
 */
final class NextListing<V> {

  private final Supplier<V> list;
  private final Executor background;
  private @Nullable CompletableFuture<V> next;
  private boolean isListing;

  /**
   * @param list blocks
   */
  NextListing(Supplier<V> list, Executor background) {
    this.list = list;
    this.background = background;
  }

  /** What a listing tells that begins after this call. */
  synchronized CompletableFuture<V> get() {
    CompletableFuture<V> waiting = next == null ? new CompletableFuture<>() : next;
    next = waiting;
    if (!isListing) {
      begin();
    }
    // who gives up waiting must not end that of the others
    return waiting.copy();
  }

  private synchronized void begin() {
    isListing = next != null;
    if (isListing) {
      background.execute(this::list);
    }
  }

  private void list() {
    CompletableFuture<V> asked = taken();
    CompletableFuture<Void> unused =
        CompletableFuture.supplyAsync(list, Runnable::run)
            .handle(
                (listed, failed) ->
                    failed == null ? asked.complete(listed) : asked.completeExceptionally(failed))
            .thenRun(this::begin);
  }

  private synchronized CompletableFuture<V> taken() {
    CompletableFuture<V> asked = next == null ? new CompletableFuture<>() : next;
    next = null;
    return asked;
  }
}
