package dev.sluice.api.common;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What no resource may exceed with its history of savepoints. It stands among the operator's
 * defaults alone. One that makes no sense caps nothing, and changes nothing else.
 *
 * @param count at least 1; null for no cap
 * @param age above 0; null for no cap
 */
public record HistoryCaps(@Nullable Integer count, @Nullable Duration age) {
  /** How many savepoints. */
  public static final String COUNT = "kubernetes.operator.savepoint.history.max.count.threshold";

  /** How old they may be. */
  public static final String AGE = "kubernetes.operator.savepoint.history.max.age.threshold";

  /** Those of the operator's defaults. */
  public static HistoryCaps of(FlinkConfiguration defaults) {
    return new HistoryCaps(
        defaults.get(COUNT).flatMap(HistoryCaps::count).orElse(null),
        defaults.get(AGE).flatMap(HistoryCaps::age).orElse(null));
  }

  /**
   * Why the value of such a key is ignored; empty when it is not.
   *
   * @param key {@link #COUNT} or {@link #AGE}
   */
  public static Optional<String> problem(String key, String value) {
    if (key.equals(COUNT)) {
      return count(value).isPresent()
          ? Optional.empty()
          : Optional.of("is ignored: must be a whole number of at least 1");
    }
    return age(value).isPresent()
        ? Optional.empty()
        : Optional.of("is ignored: must be a time above 0, like 24 h");
  }

  private static Optional<Integer> count(String value) {
    try {
      return Optional.of(Integer.valueOf(value.trim())).filter(count -> count >= 1);
    } catch (NumberFormatException unreadable) {
      return Optional.empty();
    }
  }

  private static Optional<Duration> age(String value) {
    try {
      return Optional.of(FlinkDuration.parse(value))
          .filter(age -> !age.isZero() && !age.isNegative());
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }
}
