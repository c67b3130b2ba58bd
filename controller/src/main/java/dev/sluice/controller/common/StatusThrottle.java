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
 * <p>What people or an operation change is written at once. What follows cluster and job is spaced:
 * evenly while an operation is at work; else the first changes after a calm time are written at
 * once, and further ones the later the longer the resource stays restless. The last state is always
 * written in the end, if the caller comes back when {@link #due} says.
 *
 * @param <R> the resource
 * @param <S> its status
 */
public final class StatusThrottle<R extends HasMetadata, S> {

  private final ControllerStatus<R, S> fields;
  private final Clock clock;
  private final Duration spacing;
  private final ConcurrentMap<String, Written<S>> writes = new ConcurrentHashMap<>();

  /**
   * @param fields which fields are ours
   * @param spacing the least time between two writes that only follow cluster and job, once they
   *     are spaced
   */
  public StatusThrottle(ControllerStatus<R, S> fields, Clock clock, Duration spacing) {
    this.fields = fields;
    this.clock = clock;
    this.spacing = spacing;
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
    if (!isLive(there, wanted)) {
      return Optional.of(Duration.ZERO);
    }
    Instant next =
        fields.inFlight(wanted) ? last.at.plus(spacing) : last.restlessness.next(spacing);
    Duration left = Duration.between(clock.instant(), next);
    return Optional.of(left.isNegative() ? Duration.ZERO : left);
  }

  /** Whether only what follows cluster and job differs. */
  private boolean isLive(S there, S wanted) {
    return fields.withoutLive(there).equals(fields.withoutLive(wanted));
  }

  /**
   * A status was written.
   *
   * @param before the resource as it was
   * @param result the resource as it is now
   * @param wanted what was to be written
   */
  public void written(R before, R result, S wanted) {
    String key = result.getMetadata().getUid();
    Instant now = clock.instant();
    Written<S> last = writes.get(key);
    Restlessness restlessness = last == null ? Restlessness.CALM : last.restlessness;
    if (fields.inFlight(wanted)) {
      restlessness = Restlessness.CALM; // what comes of an operation is told at once
    } else if (isLive(fields.owned(before), wanted)) {
      restlessness = restlessness.written(now, spacing);
    }
    writes.put(key, new Written<>(wanted, fields.owned(result), now, restlessness));
  }

  /** The resource is gone. */
  public void forget(String uid) {
    writes.remove(uid);
  }

  /**
   * The last write.
   *
   * @param result what the status said afterwards
   */
  private record Written<S>(S wanted, S result, Instant at, Restlessness restlessness) {}
}
