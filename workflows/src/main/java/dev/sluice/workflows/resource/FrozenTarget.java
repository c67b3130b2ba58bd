package dev.sluice.workflows.resource;

import org.jspecify.annotations.Nullable;

/**
 * The target as it stands in the status now.
 *
 * @param valid false when the newest spec is not valid; nothing was written then, and the other
 *     fields tell what was frozen before (generation 0 when nothing was)
 * @param problem why it is not valid, with the field's path; null when valid
 * @param generation of the frozen spec
 * @param upgradeMode of the frozen spec
 * @param readinessTimeoutMs how long the new cluster may take to run every task, in ms ({@code
 *     kubernetes.operator.deployment.readiness.timeout}, 5 min)
 * @param savepointTimeoutMs how long a savepoint may take, in ms ({@code
 *     execution.checkpointing.timeout}, 10 min)
 * @param summary one line on what the target is, e.g. {@code flink:2.2, parallelism 2}; no secrets
 */
public record FrozenTarget(
    boolean valid,
    @Nullable String problem,
    long generation,
    String upgradeMode,
    long readinessTimeoutMs,
    long savepointTimeoutMs,
    String summary) {}
