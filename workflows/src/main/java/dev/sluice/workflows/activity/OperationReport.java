package dev.sluice.workflows.activity;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.WithMethods;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.model.ResourceRef;
import org.jspecify.annotations.Nullable;

/**
 * What a run writes into {@code status.operation}.
 *
 * @param resource whose status
 * @param run who reports
 * @param state of the operation
 * @param step title of the step in flight, or of the last one
 * @param targetGeneration the generation to reach
 * @param reason a documented constant; null when all is well
 * @param message one line
 * @param event the reason of the Kubernetes event to emit; null for none
 * @param deadlineMs when the step is given up, ms since the epoch; null when it is short, or none
 *     is in flight
 * @param upJob the job whose tasks are all up; null when the report says nothing of that
 * @param taken the savepoint that the job was stopped with; null when the report says nothing of
 *     one
 */
@WithMethods
public record OperationReport(
    ResourceRef resource,
    RunRef run,
    OperationState state,
    String step,
    long targetGeneration,
    @Nullable String reason,
    String message,
    @Nullable String event,
    @Nullable Long deadlineMs,
    @Nullable String upJob,
    @Nullable Savepoint taken)
    implements ResourceRequest, OperationReportBuilder.With {}
