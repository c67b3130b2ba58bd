package dev.sluice.api.common;

import java.time.Duration;
import java.util.function.Supplier;
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
    Integer count = orNull(() -> defaults.integer(COUNT).orElse(null));
    Duration age = orNull(() -> defaults.duration(AGE).orElse(null));
    return new HistoryCaps(
        count == null || count < 1 ? null : count,
        age == null || age.isZero() || age.isNegative() ? null : age);
  }

  private static <T> @Nullable T orNull(Supplier<@Nullable T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException unreadable) {
      return null; // a warning of the controller names it
    }
  }
}
