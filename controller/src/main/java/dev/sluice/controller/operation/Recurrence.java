package dev.sluice.controller.operation;

import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.workflows.model.ResourceRef;

/**
 * A workflow that is started again and again.
 *
 * @param id of its schedule, and the beginning of the ids of its runs
 * @param resource that it is for
 * @param workflowType what is started
 * @param input what it is started with; serializable as JSON
 * @param summary one line for Temporal's UI
 * @param interval when
 */
public record Recurrence(
    String id,
    ResourceRef resource,
    String workflowType,
    Object input,
    String summary,
    SnapshotInterval interval) {}
