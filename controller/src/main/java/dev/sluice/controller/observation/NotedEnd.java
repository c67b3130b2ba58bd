package dev.sluice.controller.observation;

import dev.sluice.api.common.FlinkJobState;
import java.time.Instant;

/**
 * The end of a job, as noted on its Deployment while its JobManager ran on.
 *
 * @param as FINISHED, FAILED or CANCELED
 * @param at when it was noted
 */
public record NotedEnd(FlinkJobState as, Instant at) {}
