package dev.sluice.controller.observation;

import dev.sluice.activities.flink.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * A cluster and the job that is looked for on it.
 *
 * @param key tells it from other targets of the same resource
 * @param endpoint where the cluster answers
 * @param jobId the job it was made to run; null when not known
 * @param subject what the answers are about: when it changes, earlier answers are void
 * @param health when its job counts as unhealthy; null when that is not checked
 * @param session it has no job of its own: none is told
 */
public record PollTarget(
    String key,
    Endpoint endpoint,
    @Nullable String jobId,
    String subject,
    @Nullable HealthLimits health,
    boolean session)
    implements JobPolls.Target {}
