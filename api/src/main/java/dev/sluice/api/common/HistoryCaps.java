package dev.sluice.api.common;

import java.time.Duration;
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
    // a warning of the controller names what cannot be read
    return new HistoryCaps(
        FlinkConfiguration.readable(() -> defaults.integer(COUNT))
            .filter(count -> count >= 1)
            .orElse(null),
        FlinkConfiguration.readable(() -> defaults.duration(AGE))
            .filter(age -> !age.isZero() && !age.isNegative())
            .orElse(null));
  }
}
