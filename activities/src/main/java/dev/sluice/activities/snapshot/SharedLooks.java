package dev.sluice.activities.snapshot;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * One look at each thing for all who wait for it: hundreds of snapshots of one job ask for it as
 * often as one. An answer, or that there was none, is given again for a second; for longer where
 * many things are looked at, so that all of them together are asked for at most 25 times a second,
 * until each of them has to wait for {@link #LONGEST}. May be used from any thread.
 *
 * @param <K> which thing
 * @param <V> what is seen
 */
final class SharedLooks<K, V> {

  static final Duration SHORTEST = Duration.ofSeconds(1);
  static final Duration LONGEST = Duration.ofSeconds(10);
  private static final Duration FOR_EACH = Duration.ofMillis(40);

  private final Function<K, CompletableFuture<V>> look;
  private final Clock clock;
  private final Map<K, Look<V>> looks = new HashMap<>();

  /**
   * @param look must not block
   */
  SharedLooks(Function<K, CompletableFuture<V>> look, Clock clock) {
    this.look = look;
    this.clock = clock;
  }

  private record Look<V>(CompletableFuture<V> answer, Instant began) {

    boolean isOlderThan(Duration age, Instant now) {
      return answer.isDone() && !now.isBefore(began.plus(age));
    }
  }

  /** What is seen of it, now or a moment ago. */
  synchronized CompletableFuture<V> at(K thing) {
    Instant now = clock.instant();
    Look<V> last = looks.get(thing);
    if (last == null || last.isOlderThan(age(), now)) {
      looks.values().removeIf(it -> it.isOlderThan(LONGEST, now));
      last = new Look<>(look.apply(thing), now);
      looks.put(thing, last);
    }
    // who gives up its own look must not end that of the others
    return last.answer.copy();
  }

  private Duration age() {
    Duration fair = FOR_EACH.multipliedBy(looks.size());
    if (fair.compareTo(LONGEST) > 0) {
      return LONGEST;
    }
    return fair.compareTo(SHORTEST) > 0 ? fair : SHORTEST;
  }
}
