package dev.sluice.controller.common;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Decides when a status is written: at once, later, or not at all. Remembers the last write of each
 * resource.
 *
 * <p>What people or an operation change is written at once. What only follows cluster and job waits
 * for the end of the interval after three writes; the last state is written in the end, if the
 * caller comes back when {@link #due} says.
 *
 * @param <R> the resource
 * @param <S> its status
 */
public final class StatusThrottle<R extends HasMetadata, S> {

  /** A job that restarts goes down, comes back, and has all its tasks. */
  private static final int AT_ONCE = 3;

  private final ControllerStatus<R, S> fields;
  private final Clock clock;
  private final Duration interval;
  private final ConcurrentMap<String, Written<S>> writes = new ConcurrentHashMap<>();

  /**
   * @param fields which fields are ours
   * @param interval of which each has three writes that may only follow cluster and job
   */
  public StatusThrottle(ControllerStatus<R, S> fields, Clock clock, Duration interval) {
    this.fields = fields;
    this.clock = clock;
    this.interval = interval;
  }

  /**
   * When the resource's status has to be written to say this.
   *
   * @return how long to wait, zero for at once; empty when there is nothing to write
   */
  public Optional<Duration> due(R resource, S wanted) {
    S there = fields.owned(resource);
    if (there.equals(wanted)) {
      return Optional.empty();
    }
    Written<S> last = writes.get(resource.getMetadata().getUid());
    if (last == null) {
      return Optional.of(Duration.ZERO);
    }
    // another manager may own what we leave out, or the API server refused what was wanted: writing
    // it again would change nothing
    boolean same = fields.withoutTimes(last.wanted).equals(fields.withoutTimes(wanted));
    if (same && last.result.equals(there)) {
      return Optional.empty();
    }
    Duration left = Duration.between(clock.instant(), last.since.plus(interval));
    return Optional.of(
        last.number < AT_ONCE || left.isNegative() || !isLive(there, wanted)
            ? Duration.ZERO
            : left);
  }

  /** Whether only what follows cluster and job differs. */
  private boolean isLive(S there, S wanted) {
    return fields.withoutLive(there).equals(fields.withoutLive(wanted));
  }

  /**
   * A status was written.
   *
   * @param result the resource as it is now
   * @param wanted what was to be written
   */
  public void written(R result, S wanted) {
    String uid = result.getMetadata().getUid();
    Instant now = clock.instant();
    Written<S> last = writes.get(uid);
    writes.put(
        uid,
        last != null && now.isBefore(last.since.plus(interval))
            ? new Written<>(wanted, fields.owned(result), last.since, last.number + 1)
            : new Written<>(wanted, fields.owned(result), now, 1));
  }

  /** The resource is gone. */
  public void forget(String uid) {
    writes.remove(uid);
  }

  /**
   * The last write.
   *
   * @param result what the status said afterwards
   * @param since when the interval began
   * @param number how many writes there were in it
   */
  private record Written<S>(S wanted, S result, Instant since, int number) {}
}
