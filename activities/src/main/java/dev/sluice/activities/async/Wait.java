package dev.sluice.activities.async;

import dev.sluice.workflows.operation.FailureType;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Something to wait for.
 *
 * @param <T> what the activity returns
 * @param key {@code namespace/name} of the resource; {@link Watcher#wake} with it looks at once
 * @param what completes "waiting for ...", for people: {@code all tasks of default/orders to run}
 * @param atMost how long in all, over every attempt of the activity; the activity's start-to-close
 *     timeout must be longer
 * @param timeoutType failure type when that is over; the failure is not retryable
 * @param polling how often to look
 * @param probe takes one look. It is called on the watcher's only thread and must not block: it
 *     starts something asynchronous or reads memory. Failing (its future or itself) means unknown
 */
public record Wait<T>(
    String key,
    String what,
    Duration atMost,
    String timeoutType,
    Polling polling,
    Supplier<CompletableFuture<ProbeResult<T>>> probe) {

  /** A wait with the default polling, which fails as {@link FailureType#TIMED_OUT}. */
  public static <T> Wait<T> of(
      String key, String what, Duration atMost, Supplier<CompletableFuture<ProbeResult<T>>> probe) {
    return new Wait<>(key, what, atMost, FailureType.TIMED_OUT, Polling.defaults(), probe);
  }

  /** The same with another failure type for the deadline. */
  public Wait<T> timingOutAs(String type) {
    return new Wait<>(key, what, atMost, type, polling, probe);
  }

  /** The same, looking at other intervals. */
  public Wait<T> polling(Polling other) {
    return new Wait<>(key, what, atMost, timeoutType, other, probe);
  }
}
