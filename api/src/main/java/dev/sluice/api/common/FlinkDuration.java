package dev.sluice.api.common;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Flink spells them (Flink's {@code TimeUtils}). */
public final class FlinkDuration {
  private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d+)\\s*([a-zµ]*)");

  private FlinkDuration() {}

  /**
   * {@code 10 min}, {@code 500ms}, {@code 1 d}, ISO 8601 {@code PT10M}; a bare number is
   * milliseconds.
   *
   * @throws IllegalArgumentException when it is none of these
   */
  public static Duration parse(String text) {
    String trimmed = text.trim();
    if (trimmed.startsWith("P") || trimmed.startsWith("p")) {
      return iso(trimmed);
    }
    Matcher matcher = NUMBER_AND_UNIT.matcher(trimmed.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw invalid();
    }
    try {
      return Duration.of(Long.parseLong(matcher.group(1)), unit(matcher.group(2)));
    } catch (ArithmeticException | NumberFormatException e) {
      throw invalid();
    }
  }

  private static Duration iso(String text) {
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw invalid();
    }
  }

  private static ChronoUnit unit(String label) {
    return switch (label) {
      case "d", "day", "days" -> ChronoUnit.DAYS;
      case "h", "hour", "hours" -> ChronoUnit.HOURS;
      case "m", "min", "minute", "minutes" -> ChronoUnit.MINUTES;
      case "s", "sec", "secs", "second", "seconds" -> ChronoUnit.SECONDS;
      case "", "ms", "milli", "millis", "millisecond", "milliseconds" -> ChronoUnit.MILLIS;
      case "µs", "micro", "micros", "microsecond", "microseconds" -> ChronoUnit.MICROS;
      case "ns", "nano", "nanos", "nanosecond", "nanoseconds" -> ChronoUnit.NANOS;
      default -> throw invalid();
    };
  }

  private static IllegalArgumentException invalid() {
    return new IllegalArgumentException("must be a duration like '10 min', '500 ms' or 'PT10M'");
  }
}
