package dev.sluice.workflows.operation;

import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/**
 * How Temporal carries out the steps: time limits and retries. Every activity has a
 * schedule-to-close timeout: when it is over, the step is blocked.
 */
final class StepOptions {

  /** One attempt of a short effect; every client inside gives up sooner. */
  private static final Duration EFFECT = Duration.ofSeconds(10);

  /** All attempts of a short effect. */
  private static final Duration EFFECT_IN_ALL = Duration.ofMinutes(1);

  /** A worker that was lost is noticed after this time. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(8);

  /** A wait ends at its own deadline with better words; this is for one that cannot. */
  private static final Duration AFTER_DEADLINE = Duration.ofMinutes(2);

  /** Stopping with a savepoint may queue for one of the limited places. */
  private static final Duration QUEUE = Duration.ofHours(24);

  /** Longer than any wait that ends by itself. */
  private static final Duration AT_LENGTH = Duration.ofDays(365);

  private StepOptions() {}

  /** A short effect or look. */
  static ActivityOptions effect(String summary) {
    return ActivityOptions.newBuilder()
        .setStartToCloseTimeout(EFFECT)
        .setScheduleToCloseTimeout(EFFECT_IN_ALL)
        .setRetryOptions(retry(Duration.ofMillis(200)))
        .setCancellationType(ActivityCancellationType.WAIT_CANCELLATION_COMPLETED)
        .setSummary(summary)
        .build();
  }

  /**
   * A wait, which holds a thread of a worker and reports by heartbeats.
   *
   * @param limit how long it may take by itself
   */
  static ActivityOptions wait(String summary, Duration limit) {
    Duration inAll = limit.plus(AFTER_DEADLINE);
    return ActivityOptions.newBuilder()
        .setTaskQueue(TaskQueues.waits(Workflow.getInfo().getTaskQueue()))
        .setScheduleToCloseTimeout(inAll)
        .setHeartbeatTimeout(HEARTBEAT)
        .setRetryOptions(retry(Duration.ofMillis(500)))
        .setCancellationType(ActivityCancellationType.TRY_CANCEL)
        .setSummary(summary)
        .build();
  }

  /** The limit of a wait that may queue before it begins. */
  static Duration queued(Duration limit) {
    return limit.plus(QUEUE);
  }

  /** The limit of a wait that finds out by itself how long it may take. */
  static Duration atLength(Duration limit) {
    return limit.plus(AT_LENGTH);
  }

  private static RetryOptions retry(Duration initial) {
    return RetryOptions.newBuilder()
        .setInitialInterval(initial)
        .setBackoffCoefficient(2)
        .setMaximumInterval(Duration.ofSeconds(10))
        .build();
  }
}
