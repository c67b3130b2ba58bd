package dev.sluice.bootstrap;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 1h}, or ISO. */
final class DurationText {

  private static final Pattern SHORT = Pattern.compile("(\\d+)\\s*(ms|s|m|h)");

  private DurationText() {}

  static Duration parse(String text) {
    Matcher matcher = SHORT.matcher(text.trim().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      return Duration.parse(text.trim());
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      default -> Duration.ofHours(amount);
    };
  }

  static String format(Duration duration) {
    if (duration.toMillis() % 1000 != 0) {
      return duration.toMillis() + "ms";
    }
    long seconds = duration.toSeconds();
    if (seconds == 0 || seconds % 60 != 0) {
      return seconds + "s";
    }
    return seconds % 3600 == 0 ? seconds / 3600 + "h" : seconds / 60 + "m";
  }
}
