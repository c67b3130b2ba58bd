package dev.sluice.activities.flink;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * An operation Flink accepted.
 *
 * @param triggerId what to ask its status with; the caller's own id where one was given
 */
public record Triggered(@JsonProperty(value = "request-id", required = true) String triggerId) {}
