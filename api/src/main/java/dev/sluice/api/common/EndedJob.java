package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * The end of the job that was started last. It is recorded before the cluster of the job is
 * deleted, so that a job that has ended never runs again by itself. Written by the workflow only.
 */
@JsonRecord
public record EndedJob(
    @JsonPropertyDescription("Flink job id.") @Nullable String jobId,
    @JsonPropertyDescription("FINISHED, FAILED or CANCELED.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable FlinkJobState state,
    @JsonPropertyDescription(
            "The state that the job left. Absent where Flink did not tell it: then the cluster"
                + " stays.")
        RecordedState.@Nullable Left left,
    @JsonPropertyDescription(
            "Whether the job may have progressed beyond the state that it was started from.")
        @Nullable Boolean progressed,
    @JsonPropertyDescription("When the end was recorded, ISO-8601.") @Nullable String recordedAt) {}
