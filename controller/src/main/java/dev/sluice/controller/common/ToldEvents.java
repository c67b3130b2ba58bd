package dev.sluice.controller.common;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Remembers the events that were written or given up, up to a number of them; those used last. */
final class ToldEvents {

  private static final int MOST = 10_000;

  /** So long an event that was refused or given up is not tried again. */
  private static final Duration GIVEN_UP = Duration.ofHours(1);

  private final Map<String, Told> told = newest();
  private final Map<String, GivenUp> givenUp = newest();

  private static <V> Map<String, V> newest() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > MOST;
      }
    };
  }

  synchronized Optional<Told> of(String name) {
    return Optional.ofNullable(told.get(name));
  }

  synchronized void put(String name, Told now) {
    told.put(name, now);
  }

  synchronized void forget(String name) {
    told.remove(name);
  }

  /** It could not be written. One that is not dated is new each time that it is told. */
  synchronized void giveUp(String name, StatusEvent.Repeats repeats, Instant now) {
    givenUp.put(name, new GivenUp(repeats.newest(), now.plus(GIVEN_UP)));
  }

  /** Whether it was given up a short time ago, and did not happen again since. */
  synchronized boolean isGivenUp(String name, StatusEvent.Repeats repeats, Instant now) {
    GivenUp it = givenUp.get(name);
    return it != null && now.isBefore(it.end) && repeats.timesAfter(it.happened) == 0;
  }

  private record GivenUp(@Nullable Instant happened, Instant end) {}

  /**
   * What is known of an event.
   *
   * @param count how often it happened, also what is not written yet
   * @param happened when it happened last; null when it was not dated
   * @param written when it was written last
   */
  record Told(int count, @Nullable Instant happened, Instant written) {

    /** An event that repeats all the time is written no more often than this. */
    private static final Duration SPACING = Duration.ofSeconds(10);

    boolean covers(StatusEvent.Repeats repeats) {
      return repeats.timesAfter(happened) == 0;
    }

    /** When it may be written again. */
    Instant due() {
      return written.plus(SPACING);
    }

    /** It happened again; not written yet. */
    Told and(StatusEvent.Repeats repeats) {
      return new Told(
          count + repeats.timesAfter(happened),
          repeats.newest() == null ? happened : repeats.newest(),
          written);
    }

    Told writtenAt(Instant now) {
      return new Told(count, happened, now);
    }
  }
}
