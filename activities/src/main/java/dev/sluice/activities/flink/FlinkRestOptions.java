package dev.sluice.activities.flink;

import java.time.Duration;

/**
 * Bounds of the REST client.
 *
 * @param connectTimeout how long a connection may take to open; short, because a Service without a
 *     ready pod drops packets and such a call holds one of the {@code maxConcurrentCalls} slots
 * @param readTimeout longest silence between two bytes of an answer
 * @param callTimeout longest whole call, from connecting to the last byte; time spent queued behind
 *     another call to the same cluster is not counted
 * @param maxAnswerBytes longest answer that is read; a longer one is a {@link
 *     FlinkRestException.MalformedAnswer}
 * @param maxConcurrentCalls calls in flight at once over all clusters (there is at most one per
 *     cluster)
 */
public record FlinkRestOptions(
    Duration connectTimeout,
    Duration readTimeout,
    Duration callTimeout,
    long maxAnswerBytes,
    int maxConcurrentCalls) {

  /** 2 s to connect, 5 s between bytes, 10 s in all, 8 MiB, 64 calls. */
  public static FlinkRestOptions defaults() {
    return new FlinkRestOptions(
        Duration.ofSeconds(2), Duration.ofSeconds(5), Duration.ofSeconds(10), 8L << 20, 64);
  }
}
