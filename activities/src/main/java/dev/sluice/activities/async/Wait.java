package dev.sluice.activities.async;

import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Something to wait for.
 *
 * @param <T> what the activity returns
 * @param subject what it is about
 * @param limit how long it may take
 * @param pace how often to look
 * @param probe takes one look
 * @param acts whether the probe changes anything; then Temporal is asked first whether this attempt
 *     is still the one
 */
public record Wait<T>(Subject subject, Limit limit, Pace pace, Probe<T> probe, boolean acts) {

  /**
   * What a wait is about.
   *
   * @param key {@code namespace/clusterId} of the cluster; {@link Watcher#wake} with it looks at
   *     once
   * @param what completes "waiting for ...": {@code every task of default/orders to run}
   * @param resource in whose status the progress of a long wait is reported; null: nowhere
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
   * The gaps between two looks: they grow by a tenth while looks show the same, so that a change is
   * seen about a tenth of the waited time late.
   *
   * @param first after a change
   * @param most the longest
   */
  public record Pace(Duration first, Duration most) {

    Duration gap(int unchanged) {
      double millis = first.toMillis() * Math.pow(1.1, Math.min(unchanged, 100));
      return millis >= most.toMillis() ? most : Duration.ofMillis(Math.round(millis));
    }
  }

  /**
   * Takes one look at what is waited for; may block, and is interrupted when the wait ends. An
   * exception means that nothing could be told, except that a non-retryable {@link
   * io.temporal.failure.ApplicationFailure} fails the activity.
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

  /**
   * A wait that only looks, every 100 ms to 2 s, and fails as {@code TimedOut}. The probe itself
   * should end it at the deadline; 30 s later it is ended.
   */
  public static <T> Wait<T> of(
      String key, String what, long deadlineMs, Supplier<ProbeResult<T>> probe) {
    return of(key, what, deadlineMs, guard -> probe.get(), false);
  }

  /** A wait as {@link #of}, with a probe that changes something. */
  public static <T> Wait<T> acting(String key, String what, long deadlineMs, Probe<T> probe) {
    return of(key, what, deadlineMs, probe, true);
  }

  private static <T> Wait<T> of(
      String key, String what, long deadlineMs, Probe<T> probe, boolean acts) {
    return new Wait<>(
        new Subject(key, what, null),
        new Limit(deadlineMs, FailureType.TIMED_OUT, () -> 0),
        new Pace(Duration.ofMillis(100), Duration.ofSeconds(2)),
        probe,
        acts);
  }

  /** The same, with its progress in the status of this resource when it is long. */
  public Wait<T> reportingTo(ResourceRef resource) {
    return new Wait<>(new Subject(subject.key, subject.what, resource), limit, pace, probe, acts);
  }

  public Wait<T> timingOutAs(String type) {
    Limit other = new Limit(limit.deadlineMs, type, limit.extensionMs);
    return new Wait<>(subject, other, pace, probe, acts);
  }

  /** The same with a deadline that may become later while it waits. */
  public Wait<T> extendedBy(LongSupplier ms) {
    Limit other = new Limit(limit.deadlineMs, limit.timeoutType, ms);
    return new Wait<>(subject, other, pace, probe, acts);
  }

  public Wait<T> every(Duration first, Duration most) {
    return new Wait<>(subject, limit, new Pace(first, most), probe, acts);
  }

  /** The same for what may be over in a moment, as a small savepoint is in 40 ms. */
  public Wait<T> quick() {
    return every(Duration.ofMillis(50), pace.most);
  }
}
