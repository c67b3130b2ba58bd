package dev.sluice.controller.observation;

import dev.sluice.activities.flink.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * How a cluster is to be watched.
 *
 * @param endpoint where it answers
 * @param jobId the job it was made to run; null when not known
 * @param about what the answers are about: when it changes, earlier answers are void
 * @param pods any change of the cluster's pods, which is a reason to ask at once
 * @param settled nothing is expected to change: ask seldom
 */
public record PollTarget(
    Endpoint endpoint, @Nullable String jobId, String about, String pods, boolean settled) {}
