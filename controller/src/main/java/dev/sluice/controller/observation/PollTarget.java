package dev.sluice.controller.observation;

import dev.sluice.activities.flink.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * What to ask for.
 *
 * @param endpoint where the cluster answers
 * @param jobId the job it was made to run; null when not known
 * @param subject what the answers are about: when it changes, earlier answers are void
 * @param hint what changes where the job may have changed, which is a reason to ask at once
 * @param health when its job counts as unhealthy; null when that is not checked
 * @param session it has no job of its own: none is told
 */
public record PollTarget(
    Endpoint endpoint,
    @Nullable String jobId,
    String subject,
    String hint,
    @Nullable HealthLimits health,
    boolean session) {

  /** Of a cluster with a job of its own. */
  public PollTarget(
      Endpoint endpoint,
      @Nullable String jobId,
      String subject,
      String hint,
      @Nullable HealthLimits health) {
    this(endpoint, jobId, subject, hint, health, false);
  }

  /** Whether its job is healthy does not matter. */
  public PollTarget(Endpoint endpoint, @Nullable String jobId, String subject, String hint) {
    this(endpoint, jobId, subject, hint, null);
  }
}
