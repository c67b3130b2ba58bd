package dev.sluice.e2e.bench;

import java.util.List;

/** Of measured times. */
final class Timings {

  private Timings() {}

  /**
   * The one in the middle, or the mean of the two in the middle.
   *
   * @throws IllegalArgumentException when there are none
   */
  static double median(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("no values, no median");
    }
    List<Double> sorted = values.stream().sorted().toList();
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }
}
