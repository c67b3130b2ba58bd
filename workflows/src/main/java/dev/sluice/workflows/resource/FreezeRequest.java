package dev.sluice.workflows.resource;

import org.jspecify.annotations.Nullable;

/**
 * @param resource whose spec to freeze
 * @param operation the operation to write into the status, e.g. {@code Upgrade}
 * @param workflowId of the run
 * @param runId of the run
 * @param fromGeneration the generation that ran before; null when none
 * @param keepState keep the recorded {@code upgradeSavepointPath}: the old job is stopped already
 *     and that path is all there is
 * @param step the step to show in the status
 */
public record FreezeRequest(
    ResourceRef resource,
    String operation,
    String workflowId,
    String runId,
    @Nullable Long fromGeneration,
    boolean keepState,
    String step) {}
