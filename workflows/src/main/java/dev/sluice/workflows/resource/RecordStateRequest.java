package dev.sluice.workflows.resource;

import org.jspecify.annotations.Nullable;

/**
 * @param resource whose state it is
 * @param path of the savepoint or checkpoint; null for a stateless upgrade
 * @param step the step to show in the status
 * @param message for the status, for people; null where an older release asked
 * @param deadlineMs when that step is given up, ms since the epoch; null when not known
 */
public record RecordStateRequest(
    ResourceRef resource,
    @Nullable String path,
    String step,
    @Nullable String message,
    @Nullable Long deadlineMs) {}
