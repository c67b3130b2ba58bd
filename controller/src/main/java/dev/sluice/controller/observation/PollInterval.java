package dev.sluice.controller.observation;

import java.time.Duration;

/**
 * How often each cluster is asked, besides at once after any hint from its pods, or the end of an
 * operation.
 *
 * @param shortest with few clusters
 * @param requestsPerSecond to all clusters together, which makes it longer with many clusters
 * @param failures this many in a row before an answer that was there counts as void
 */
public record PollInterval(Duration shortest, int requestsPerSecond, int failures) {

  /**
   * The longest pause before a silent JobManager is asked again, unless all are asked less often.
   */
  private static final Duration SILENT = Duration.ofSeconds(15);

  /** Of the pause, up or down: what began at the same time does not stay in step. */
  private static final double JITTER = 0.1;

  /** 1 s, 150 requests per second, 3: each of 200 clusters is asked within 1.5 s. */
  public static PollInterval defaults() {
    return new PollInterval(Duration.ofSeconds(1), 150, 3);
  }

  /** From the end of one question to the next one, on average. */
  Duration among(int clusters) {
    Duration budget = Duration.ofSeconds(clusters).dividedBy(requestsPerSecond);
    return budget.compareTo(shortest) > 0 ? budget : shortest;
  }

  /**
   * From the end of one question to the next one to the same cluster.
   *
   * @param silence how many questions in a row were not answered since there was a hint
   * @param chance from 0 to 1
   */
  Duration next(int clusters, int silence, double chance) {
    Duration usual = among(clusters);
    Duration longest = usual.compareTo(SILENT) > 0 ? usual : SILENT;
    Duration pause = usual;
    for (int more = silence - failures; more > 0 && pause.compareTo(longest) < 0; more--) {
      pause = pause.multipliedBy(2);
    }
    Duration bounded = pause.compareTo(longest) > 0 ? longest : pause;
    return bounded.plusNanos(Math.round(bounded.toNanos() * JITTER * (2 * chance - 1)));
  }

  /** Between two clusters that are asked for the first time. */
  Duration turn() {
    return Duration.ofSeconds(1).dividedBy(requestsPerSecond);
  }
}
