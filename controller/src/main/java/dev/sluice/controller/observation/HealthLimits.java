package dev.sluice.controller.observation;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a job counts as unhealthy.
 *
 * @param restartsWindow in which restarts are counted
 * @param restarts it may restart so often in that window
 * @param checkpointWindow in which it must complete a checkpoint; null when it need not
 */
public record HealthLimits(
    Duration restartsWindow, long restarts, @Nullable Duration checkpointWindow) {}
