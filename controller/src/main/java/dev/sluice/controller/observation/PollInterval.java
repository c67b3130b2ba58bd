package dev.sluice.controller.observation;

import java.time.Duration;

/**
 * The pause between two passes over a Flink cluster.
 *
 * @param shortest with few clusters
 * @param requestsPerSecond to all clusters together, which makes the pause longer with many
 *     clusters
 */
public record PollInterval(Duration shortest, int requestsPerSecond) {

  /** 1 s, 150 requests per second: each of 200 clusters is asked every 1.4 s. */
  public static PollInterval defaults() {
    return new PollInterval(Duration.ofSeconds(1), 150);
  }

  /** From the end of one pass to the begin of the next one. */
  Duration among(int clusters) {
    Duration budget = Duration.ofSeconds(clusters).dividedBy(requestsPerSecond);
    return budget.compareTo(shortest) > 0 ? budget : shortest;
  }
}
