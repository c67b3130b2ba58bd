package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.api.Annotations;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What must be so, beside every task being up, before a job that was started counts as stable.
 *
 * @param quietMs for so long no task of it has been started again, in ms; 0 asks for nothing
 * @param checkpoints number of checkpoints it has completed since its JobManager started it; 0 asks
 *     for nothing
 * @param checkpointsByDefault the number of checkpoints is the operator's default, which does not
 *     hold for a job that takes none
 */
public record StableAfter(long quietMs, int checkpoints, boolean checkpointsByDefault) {

  /** Every task being up is enough. */
  public static final StableAfter NONE = new StableAfter(0, 0, true);

  /** The longest time that can be asked for. */
  public static final Duration LONGEST = Duration.ofDays(7);

  /** The most checkpoints that can be asked for. */
  public static final int MOST_CHECKPOINTS = 1000;

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** Whether nothing is asked for. */
  @JsonIgnore
  public boolean isNone() {
    return quietMs == 0 && checkpoints == 0;
  }

  /**
   * What the annotations of a resource ask for; each that is absent or blank leaves the default.
   *
   * @param annotations of the resource; null when it has none
   * @throws IllegalArgumentException when one of them cannot be read
   */
  public static StableAfter of(@Nullable Map<String, String> annotations, StableAfter defaults) {
    Map<String, String> all = Objects.requireNonNullElse(annotations, Map.of());
    Long quiet = value(all, Annotations.STABLE_AFTER, StableAfter::parseQuietMs);
    Integer checkpoints =
        value(all, Annotations.STABLE_AFTER_CHECKPOINTS, StableAfter::parseCheckpoints);
    return new StableAfter(
        Objects.requireNonNullElse(quiet, defaults.quietMs()),
        Objects.requireNonNullElse(checkpoints, defaults.checkpoints()),
        checkpoints == null);
  }

  /** As {@link #of}; empty when one of them cannot be read, which a validation refuses. */
  public static Optional<StableAfter> ifReadable(
      @Nullable Map<String, String> annotations, StableAfter defaults) {
    try {
      return Optional.of(of(annotations, defaults));
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  private static <T> @Nullable T value(
      Map<String, String> annotations, String name, Function<String, T> parse) {
    String text = annotations.get(name);
    return text == null || text.isBlank() ? null : parse.apply(text);
  }

  /**
   * A time in ms: {@code 0}, {@code 30s}, {@code 2 min}.
   *
   * @throws IllegalArgumentException saying what is allowed
   */
  public static long parseQuietMs(String text) {
    Duration duration = duration(text);
    boolean allowed =
        duration != null
            && (duration.isZero()
                || (duration.compareTo(SHORTEST) >= 0 && duration.compareTo(LONGEST) <= 0));
    if (duration == null || !allowed) {
      throw new IllegalArgumentException(
          "must be 0, or a duration from 1 s to " + LONGEST.toDays() + " d like '2 min'");
    }
    return duration.toMillis();
  }

  private static @Nullable Duration duration(String text) {
    try {
      return FlinkDuration.parse(text);
    } catch (IllegalArgumentException unreadable) {
      return null;
    }
  }

  /**
   * A number of checkpoints.
   *
   * @throws IllegalArgumentException saying what is allowed
   */
  public static int parseCheckpoints(String text) {
    try {
      int number = Integer.parseInt(text.trim());
      if (number >= 0 && number <= MOST_CHECKPOINTS) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      // said below, in words
    }
    throw new IllegalArgumentException("must be a whole number from 0 to " + MOST_CHECKPOINTS);
  }
}
