package dev.sluice.workflows.operation;

import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/** How the engine carries out the steps: time limits and retries. */
final class StepOptions {

  /** One attempt of a short effect; every client inside gives up sooner. */
  private static final Duration EFFECT = Duration.ofSeconds(10);

  /** A worker that was lost is noticed after this time. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(8);

  /** No wait is longer; each has a deadline of its own, which is sooner. */
  private static final Duration LONGEST_WAIT = Duration.ofHours(24);

  private StepOptions() {}

  /** A short effect or look; tried until it is done or fails for good. */
  static ActivityOptions effect(String summary) {
    return ActivityOptions.newBuilder()
        .setStartToCloseTimeout(EFFECT)
        .setRetryOptions(retry(Duration.ofMillis(200)))
        .setCancellationType(ActivityCancellationType.WAIT_CANCELLATION_COMPLETED)
        .setSummary(summary)
        .build();
  }

  /** A wait that holds no thread and reports by heartbeats. */
  static ActivityOptions wait(String summary) {
    return ActivityOptions.newBuilder()
        .setStartToCloseTimeout(LONGEST_WAIT)
        .setHeartbeatTimeout(HEARTBEAT)
        .setRetryOptions(retry(Duration.ofMillis(500)))
        .setCancellationType(ActivityCancellationType.TRY_CANCEL)
        .setSummary(summary)
        .build();
  }

  private static RetryOptions retry(Duration initial) {
    return RetryOptions.newBuilder()
        .setInitialInterval(initial)
        .setBackoffCoefficient(2)
        .setMaximumInterval(Duration.ofSeconds(10))
        .build();
  }
}
