package dev.sluice.activities.async;

import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Something to wait for.
 *
 * @param <T> what the activity returns
 * @param subject what it is about
 * @param limit how long it may take
 * @param polling how often to look
 * @param probe takes one look
 * @param acts whether the probe changes anything; then Temporal is asked first whether this attempt
 *     is still the one
 */
public record Wait<T>(Subject subject, Limit limit, Polling polling, Probe<T> probe, boolean acts) {

  /**
   * What a wait is about.
   *
   * @param key {@code namespace/clusterId} of the cluster; {@link Watcher#wake} with it looks at
   *     once
   * @param what completes "waiting for ...": {@code every task of default/orders to run}
   * @param resource in whose status the progress of a long wait is told; null: nowhere
   */
  public record Subject(String key, String what, @Nullable ResourceRef resource) {}

  /**
   * How long a wait may take.
   *
   * @param deadlineMs by Temporal's clock, ms since the epoch; for every attempt of the activity
   * @param timeoutType failure type when that is over; the failure is not retryable
   * @param extensionMs by how much it may take longer than that, as known now, in ms
   */
  public record Limit(long deadlineMs, String timeoutType, LongSupplier extensionMs) {}

  /**
   * Takes one look at what is waited for; may block. An exception means that nothing could be told,
   * except that a non-retryable {@link io.temporal.failure.ApplicationFailure} fails the activity.
   *
   * @param <T> what the activity returns
   */
  @FunctionalInterface
  public interface Probe<T> {

    /**
     * Looks.
     *
     * @param guard to be asked right before anything is changed
     */
    ProbeResult<T> look(ActGuard guard);
  }

  /** A wait that only looks, with the default polling, which fails as {@code TimedOut}. */
  public static <T> Wait<T> of(
      String key, String what, long deadlineMs, Supplier<ProbeResult<T>> probe) {
    return of(key, what, deadlineMs, guard -> probe.get(), false);
  }

  /** As {@link #of}, with a probe that changes something. */
  public static <T> Wait<T> acting(String key, String what, long deadlineMs, Probe<T> probe) {
    return of(key, what, deadlineMs, probe, true);
  }

  private static <T> Wait<T> of(
      String key, String what, long deadlineMs, Probe<T> probe, boolean acts) {
    return new Wait<>(
        new Subject(key, what, null),
        new Limit(deadlineMs, FailureType.TIMED_OUT, () -> 0),
        Polling.defaults(),
        probe,
        acts);
  }

  /** The same, telling its progress in the status of this resource when it is long. */
  public Wait<T> reportingTo(ResourceRef resource) {
    return new Wait<>(new Subject(key(), what(), resource), limit, polling, probe, acts);
  }

  /** The same with another failure type for the deadline. */
  public Wait<T> timingOutAs(String type) {
    return limited(new Limit(limit.deadlineMs, type, limit.extensionMs));
  }

  /** The same with a deadline that may become later while it waits. */
  public Wait<T> extendedBy(LongSupplier ms) {
    return limited(new Limit(limit.deadlineMs, limit.timeoutType, ms));
  }

  private Wait<T> limited(Limit other) {
    return new Wait<>(subject, other, polling, probe, acts);
  }

  /** The same, looking at other intervals. */
  public Wait<T> polling(Polling other) {
    return new Wait<>(subject, limit, other, probe, acts);
  }

  String key() {
    return subject.key;
  }

  String what() {
    return subject.what;
  }
}
