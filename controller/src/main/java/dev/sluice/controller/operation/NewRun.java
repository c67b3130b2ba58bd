package dev.sluice.controller.operation;

import dev.sluice.api.common.OperationType;

/**
 * What a run is started with.
 *
 * @param type its workflow type
 * @param generation to reach; for a Rollback the one that is given up
 * @param summary one line for Temporal's UI
 * @param details Markdown for Temporal's UI
 * @param retry requested by the user: with {@code sluice.dev/retry}, or, a Rollback, with {@code
 *     sluice.dev/rollback}
 */
public record NewRun(
    OperationType type, long generation, String summary, String details, boolean retry) {}
