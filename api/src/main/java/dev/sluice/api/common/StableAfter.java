package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.api.Annotations;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When a job that was started counts as stable.
 *
 * @param quietMs for so long every task must have run without a restart, in ms; 0: it is stable
 *     once every task is up
 */
public record StableAfter(long quietMs) {

  /** Every task being up is enough. */
  public static final StableAfter NONE = new StableAfter(0);

  /** The longest time that can be asked for. */
  public static final Duration LONGEST = Duration.ofDays(7);

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** Whether nothing is asked for. */
  @JsonIgnore
  public boolean isNone() {
    return quietMs == 0;
  }

  /**
   * What the annotations of a resource ask for; the default where the annotation is absent or
   * blank.
   *
   * @param annotations of the resource; null when it has none
   * @return empty when the annotation cannot be read, which a validation refuses
   */
  public static Optional<StableAfter> ifReadable(
      @Nullable Map<String, String> annotations, StableAfter defaults) {
    String text = annotations == null ? null : annotations.get(Annotations.STABLE_AFTER);
    try {
      return Optional.of(
          text == null || text.isBlank() ? defaults : new StableAfter(parseQuietMs(text)));
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  /**
   * A time in ms: {@code 0}, {@code 30s}, {@code 2 min}.
   *
   * @throws IllegalArgumentException saying what is allowed
   */
  public static long parseQuietMs(String text) {
    Duration time;
    try {
      time = FlinkDuration.parse(text);
    } catch (IllegalArgumentException unreadable) {
      time = Duration.ofMillis(-1);
    }
    if (!time.isZero() && (time.compareTo(SHORTEST) < 0 || time.compareTo(LONGEST) > 0)) {
      throw new IllegalArgumentException(
          "must be 0, or a duration from 1 s to " + LONGEST.toDays() + " d like '2 min'");
    }
    return time.toMillis();
  }
}
