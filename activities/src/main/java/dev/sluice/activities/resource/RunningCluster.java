package dev.sluice.activities.resource;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.model.ClusterRef;
import org.jspecify.annotations.Nullable;

/**
 * A Flink cluster of a resource and what it was configured with.
 *
 * @param ref the cluster
 * @param endpoint where its JobManager answers
 * @param configuration of the spec that it was made from, as people wrote it; the empty one when
 *     that spec is not known
 * @param jobId the job that it was made for; null when it does not say
 * @param generation of the spec that it was made from; null when it does not say
 */
public record RunningCluster(
    ClusterRef ref,
    Endpoint endpoint,
    FlinkConfiguration configuration,
    @Nullable String jobId,
    @Nullable Long generation) {}
