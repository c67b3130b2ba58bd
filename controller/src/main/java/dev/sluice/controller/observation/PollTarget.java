package dev.sluice.controller.observation;

import dev.sluice.activities.flink.Endpoint;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A cluster and the job that is looked for on it.
 *
 * @param jobId the job it was made to run; null when not known
 * @param subject what the answers are about: when it changes, earlier answers are void
 * @param health when its job counts as unhealthy; null when that is not checked
 * @param session it has no job of its own, so none is reported
 */
public record PollTarget(
    Endpoint endpoint,
    @Nullable String jobId,
    String subject,
    @Nullable HealthLimits health,
    boolean session) {

  /**
   * When a job counts as unhealthy.
   *
   * @param restartsWindow in which restarts are counted
   * @param restarts it may restart so often in that window
   * @param checkpointWindow in which it must complete a checkpoint; null when it need not
   */
  public record HealthLimits(
      Duration restartsWindow, long restarts, @Nullable Duration checkpointWindow) {}
}
