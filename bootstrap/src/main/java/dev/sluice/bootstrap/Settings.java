package dev.sluice.bootstrap;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads typed values from texts and collects what is wrong with them, so that the user sees every
 * mistake at once. Ask for all values, then call {@link #check()}; until then a wrong value reads
 * as its default.
 *
 * <pre>{@code
 * Settings settings = new Settings(System.getenv());
 * int port = settings.integer("SLUICE_HTTP_PORT", 8080, 0, 65535);
 * settings.check();
 * }</pre>
 */
public final class Settings {

  private static final Pattern SHORT_DURATION = Pattern.compile("(\\d+)\\s*(ms|s|m|h)");

  private final Map<String, String> values;
  private final List<String> problems = new ArrayList<>();

  /** Values by key, e.g. {@code SLUICE_HTTP_PORT}; empty texts count as absent. */
  public Settings(Map<String, String> values) {
    this.values = Map.copyOf(values);
  }

  /** A text; {@code fallback} when absent. */
  public String text(String key, String fallback) {
    return read(key, fallback, "a text", value -> value, value -> true);
  }

  /** A text that may be absent. */
  public @Nullable String optionalText(String key) {
    String value = values.get(key);
    return value == null || value.isBlank() ? null : value.trim();
  }

  /** A whole number between {@code least} and {@code most}, both allowed. */
  public int integer(String key, int fallback, int least, int most) {
    return read(
        key,
        fallback,
        "a whole number from " + least + " to " + most,
        Integer::valueOf,
        value -> value >= least && value <= most);
  }

  /** {@code true} or {@code false}. */
  public boolean flag(String key, boolean fallback) {
    return choice(key, fallback, Map.of("true", true, "false", false));
  }

  /** A duration between {@code least} and {@code most}, as {@code 500ms}, {@code 30s} or ISO. */
  public Duration duration(String key, Duration fallback, Duration least, Duration most) {
    return read(
        key,
        fallback,
        "a duration such as 500ms, 30s, 5m or 1h, from " + display(least) + " to " + display(most),
        Settings::parseDuration,
        value -> value.compareTo(least) >= 0 && value.compareTo(most) <= 0);
  }

  private static Duration parseDuration(String text) {
    Matcher matcher = SHORT_DURATION.matcher(text.trim().toLowerCase(Locale.ROOT));
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

  private static String display(Duration duration) {
    if (duration.toMillis() % 1000 != 0) {
      return duration.toMillis() + "ms";
    }
    long seconds = duration.toSeconds();
    if (seconds == 0 || seconds % 60 != 0) {
      return seconds + "s";
    }
    return seconds % 3600 == 0 ? seconds / 3600 + "h" : seconds / 60 + "m";
  }

  /** One of the constants of an enum, in any case. */
  public <E extends Enum<E>> E choice(String key, E fallback) {
    return choice(
        key,
        fallback,
        Stream.of(fallback.getDeclaringClass().getEnumConstants())
            .collect(Collectors.toMap(e -> e.name().toLowerCase(Locale.ROOT), e -> e)));
  }

  private <T> T choice(String key, T fallback, Map<String, T> choices) {
    String allowed = choices.keySet().stream().sorted().collect(Collectors.joining(", "));
    return read(
        key,
        fallback,
        "one of " + allowed,
        value -> {
          T chosen = choices.get(value.toLowerCase(Locale.ROOT));
          if (chosen == null) {
            throw new IllegalArgumentException(value);
          }
          return chosen;
        },
        value -> true);
  }

  /** A comma-separated list without empty entries; empty when absent. */
  public List<String> list(String key) {
    return Stream.of(text(key, "").split(",", -1))
        .map(String::trim)
        .filter(entry -> !entry.isEmpty())
        .toList();
  }

  /** A mistake that only the caller can see. */
  public void problem(String key, String allowed) {
    problems.add(key + "=" + values.getOrDefault(key, "") + ": allowed is " + allowed);
  }

  /**
   * Call it when every value was asked for.
   *
   * @throws ConfigurationException when one of them was wrong
   */
  public void check() {
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems);
    }
  }

  private <T> T read(
      String key, T fallback, String allowed, Function<String, T> parse, Predicate<T> fits) {
    String text = optionalText(key);
    if (text == null) {
      return fallback;
    }
    try {
      T value = parse.apply(text);
      if (fits.test(value)) {
        return value;
      }
    } catch (IllegalArgumentException | DateTimeParseException | ArithmeticException wrong) {
      // said below, in words
    }
    problem(key, allowed);
    return fallback;
  }
}
