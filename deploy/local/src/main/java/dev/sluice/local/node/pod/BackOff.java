package dev.sluice.local.node.pod;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How long a container that ends again and again waits before its next start. As the kubelet does
 * (pkg/kubelet, client-go's flowcontrol.Backoff): the first restart is at once, the second waits
 * {@code initial}, each later one twice as long up to {@code max}; a container that went well for
 * {@code reset} starts over.
 */
public record BackOff(Duration initial, Duration max, Duration reset) {

  /** The kubelet's: 10 s, 5 min, 10 min. */
  public static final BackOff KUBELET =
      new BackOff(Duration.ofSeconds(10), Duration.ofMinutes(5), Duration.ofMinutes(10));

  /** When the next start may be, given the delay agreed at the last restart (null: none yet). */
  public Instant notBefore(Instant ended, @Nullable Duration delay, Duration ran) {
    return delay == null || ran.compareTo(reset) > 0 ? ended : ended.plus(delay);
  }

  /** The delay that will hold when the container that is restarted now ends again. */
  public Duration next(@Nullable Duration delay, Duration ran) {
    if (delay == null || ran.compareTo(reset) > 0) {
      return initial;
    }
    Duration doubled = delay.multipliedBy(2);
    return doubled.compareTo(max) > 0 ? max : doubled;
  }
}
