package dev.sluice.controller.observation;

import java.time.Duration;

/**
 * How often each cluster is asked, besides at once after any hint from its pods.
 *
 * @param shortest with few clusters
 * @param requestsPerSecond to all clusters together, which makes it longer with many clusters
 * @param failures this many in a row before an answer that was there counts as void
 */
public record PollInterval(Duration shortest, int requestsPerSecond, int failures) {

  /** 1 s, 100 requests per second, 3. */
  public static PollInterval defaults() {
    return new PollInterval(Duration.ofSeconds(1), 100, 3);
  }

  /** From the end of one question to the next one. */
  Duration among(int clusters) {
    Duration budget = Duration.ofSeconds(clusters).dividedBy(requestsPerSecond);
    return budget.compareTo(shortest) > 0 ? budget : shortest;
  }
}
