package dev.sluice.activities.async;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls to Temporal, which block, on threads of their own: a slow Temporal must not keep the loop
 * from looking at Flink.
 */
final class Calls {

  private final Executor threads;
  private final Loop loop;

  Calls(Executor threads, Loop loop) {
    this.threads = threads;
    this.loop = loop;
  }

  /** Makes a call and comes back to the loop with what it threw, or null. */
  void make(Runnable call, Consumer<@Nullable RuntimeException> then) {
    try {
      threads.execute(
          () -> {
            RuntimeException thrown = attempt(call);
            loop.execute(() -> then.accept(thrown));
          });
    } catch (RejectedExecutionException closed) {
      loop.execute(() -> then.accept(closed));
    }
  }

  private static @Nullable RuntimeException attempt(Runnable call) {
    try {
      call.run();
      return null;
    } catch (RuntimeException e) {
      return e;
    }
  }
}
