package dev.sluice.activities.async;

import io.temporal.client.ActivityCompletionClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An activity attempt that is completed from outside, by its token. Every call blocks until
 * Temporal answers, and throws an ActivityCompletionException if it does not take it.
 */
final class ActivityTask {

  private final ActivityCompletionClient temporal;
  private final byte[] token;
  private final WaitReporter.Waiting waiting;
  private final Duration heartbeatTimeout;
  private final Duration spent;

  /**
   * @param waiting what is told of it while it waits
   * @param heartbeatTimeout the activity's, zero if it has none
   * @param spent how long its earlier attempts took, by Temporal's clock
   */
  ActivityTask(
      ActivityCompletionClient temporal,
      byte[] token,
      WaitReporter.Waiting waiting,
      Duration heartbeatTimeout,
      Duration spent) {
    this.temporal = temporal;
    this.token = token.clone();
    this.waiting = waiting;
    this.heartbeatTimeout = heartbeatTimeout;
    this.spent = spent;
  }

  WaitReporter.Waiting waiting() {
    return waiting;
  }

  Duration heartbeatTimeout() {
    return heartbeatTimeout;
  }

  Duration spent() {
    return spent;
  }

  void heartbeat(WaitHeartbeat details) {
    temporal.heartbeat(token, details);
  }

  void complete(@Nullable Object result) {
    temporal.complete(token, result);
  }

  void fail(ApplicationFailure failure) {
    temporal.completeExceptionally(token, failure);
  }

  void cancelled(WaitHeartbeat details) {
    temporal.reportCancellation(token, details);
  }
}
