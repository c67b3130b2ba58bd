package dev.sluice.e2e.bench;

/** The text format of {@code /metrics}, as far as a sum needs it. */
final class PrometheusText {

  private PrometheusText() {}

  /**
   * Sum over all samples of a metric, whatever their labels; 0 when there are none.
   *
   * @param text what {@code /metrics} answered
   */
  static double sum(String text, String metric) {
    return text.lines()
        .filter(line -> line.startsWith(metric + " ") || line.startsWith(metric + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
