package dev.sluice.controller.observation;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a job that has not ended.
 *
 * @param why in words, without a full stop
 * @param healedAfter it is healthy again once every task is up for that long without a restart;
 *     null where that says nothing
 */
public record Unhealthy(String why, @Nullable Duration healedAfter) {}
