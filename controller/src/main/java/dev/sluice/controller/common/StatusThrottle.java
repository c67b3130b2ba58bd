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
 * @param <R> the resource
 * @param <S> its status
 */
public final class StatusThrottle<R extends HasMetadata, S> {

  private final ControllerStatus<R, S> fields;
  private final Clock clock;
  private final ConcurrentMap<String, Written<S>> writes = new ConcurrentHashMap<>();

  /**
   * @param fields which fields are ours
   */
  public StatusThrottle(ControllerStatus<R, S> fields, Clock clock) {
    this.fields = fields;
    this.clock = clock;
  }

  /**
   * When the resource's status has to be written to say this.
   *
   * @param between the least time between two writes where only what follows cluster and job
   *     differs; zero not to wait
   * @return how long to wait, zero for at once; empty when there is nothing to write
   */
  public Optional<Duration> due(R resource, S wanted, Duration between) {
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
    if (last.wanted.equals(wanted) && last.result.equals(there)) {
      return Optional.empty();
    }
    if (!fields.withoutLive(there).equals(fields.withoutLive(wanted))) {
      return Optional.of(Duration.ZERO);
    }
    Duration left = Duration.between(clock.instant(), last.at.plus(between));
    return Optional.of(left.isNegative() ? Duration.ZERO : left);
  }

  /**
   * A status was written.
   *
   * @param result the resource as it is now
   * @param wanted what was to be written
   */
  public void written(R result, S wanted) {
    writes.put(
        result.getMetadata().getUid(),
        new Written<>(wanted, fields.owned(result), clock.instant()));
  }

  /** The resource is gone. */
  public void forget(R resource) {
    writes.remove(resource.getMetadata().getUid());
  }

  /**
   * The last write.
   *
   * @param result what the status said afterwards
   */
  private record Written<S>(S wanted, S result, Instant at) {}
}
