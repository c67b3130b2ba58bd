package dev.sluice.local.demo;

import dev.sluice.local.flink.Counts;
import java.util.Optional;

/** Whether the sample job's counts went on exactly over an upgrade. */
public final class CountCheck {

  private CountCheck() {}

  /**
   * What is wrong.
   *
   * @param before read while the old job ran
   * @param after read from the new job
   * @return empty when nothing is
   */
  public static Optional<String> problem(Counts before, Counts after) {
    if (!after.exact()) {
      return Optional.of(
          "%d elements lost, %d counted twice".formatted(after.lost(), after.doubled()));
    }
    if (after.restored() < before.total()) {
      return Optional.of(
          "the new job started from a state of %d elements, and the old one had counted %d"
              .formatted(after.restored(), before.total()));
    }
    return Optional.empty();
  }

  /** The counts, in one line. */
  public static String line(Counts counts) {
    return "%,d elements counted over %d keys, lost=%d doubled=%d"
        .formatted(counts.total(), counts.keys(), counts.lost(), counts.doubled());
  }
}
