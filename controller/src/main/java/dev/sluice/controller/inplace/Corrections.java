package dev.sluice.controller.inplace;

import dev.sluice.controller.common.SingleTry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * How often something was put right that somebody else changes again and again. Each time costs the
 * job a restart: so there is a pause before the next, which grows, and a long one after the third.
 */
final class Corrections {

  /** How many are made with short pauses. */
  static final int MOST = 3;

  /** The pause after those, and how long it must stay right to be forgotten. */
  static final Duration QUIET = Duration.ofMinutes(10);

  private final Clock clock;
  private final ConcurrentMap<String, Made> made = new ConcurrentHashMap<>();

  /**
   * @param clock measures the pauses
   */
  Corrections(Clock clock) {
    this.clock = clock;
  }

  /** One was made. */
  void add(String uid, String content) {
    Made before = last(uid, content);
    int number = before == null ? 1 : Math.min(before.number + 1, MOST);
    made.put(uid, new Made(content, number, clock.instant()));
  }

  /**
   * How long to wait before the next one: zero when it may be made now.
   *
   * @param uid whose corrections are kept apart from those of others
   * @param content tells one correction from another
   */
  Duration pause(String uid, String content) {
    Made before = last(uid, content);
    if (before == null) {
      return Duration.ZERO;
    }
    return before.number < MOST || isFresh(before)
        ? left(before, SingleTry.pauseAfter(before.number))
        : left(before, QUIET);
  }

  /** Whether it was made so often that more are of no use, and is not right all the same. */
  boolean areOfNoUse(String uid, String content) {
    Made before = last(uid, content);
    return before != null && before.number == MOST && !isFresh(before);
  }

  /** An informer may not have seen it yet. */
  private boolean isFresh(Made last) {
    return !left(last, SingleTry.pauseAfter(last.number)).isZero();
  }

  /**
   * It is right now.
   *
   * @return when to look whether it has stayed so; zero when nothing is remembered
   */
  Duration right(String uid) {
    Made before = made.get(uid);
    if (before == null) {
      return Duration.ZERO;
    }
    Duration left = left(before, QUIET);
    if (left.isZero()) {
      made.remove(uid);
    }
    return left;
  }

  /** The resource is gone. */
  void forget(String uid) {
    made.remove(uid);
  }

  private @Nullable Made last(String uid, String content) {
    Made before = made.get(uid);
    boolean counts =
        before != null
            && before.content.equals(content)
            && (before.number == MOST || !left(before, QUIET).isZero());
    return counts ? before : null;
  }

  private Duration left(Made last, Duration pause) {
    Duration left = Duration.between(clock.instant(), last.at.plus(pause));
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** The last one, and how many there were. */
  private record Made(String content, int number, Instant at) {}
}
