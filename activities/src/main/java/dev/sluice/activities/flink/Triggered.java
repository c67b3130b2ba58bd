package dev.sluice.activities.flink;

/**
 * An operation Flink accepted.
 *
 * @param triggerId what to ask its status with; the caller's own id where one was given
 */
public record Triggered(String triggerId) {}
