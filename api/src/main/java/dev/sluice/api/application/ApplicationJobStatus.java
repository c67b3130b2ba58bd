package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JsonRecord;
import dev.sluice.api.common.WithMethods;
import org.jspecify.annotations.Nullable;

/**
 * What was last seen of a job, and what it was submitted with. Times are RFC 3339. Written by the
 * controller only.
 */
@JsonRecord
@WithMethods
public record ApplicationJobStatus(
    @JsonPropertyDescription("Where its page of the web UI is.") @Nullable String jobOverviewURL,
    @JsonPropertyDescription("Id of the job in Flink.") @Nullable String jobID,
    @JsonPropertyDescription("Green, Yellow or Red.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable HealthStatus health,
    @JsonPropertyDescription("State of the job in Flink.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable FlinkJobState state,
    @JsonPropertyDescription("What it was submitted with.") @Nullable String jarName,
    @JsonPropertyDescription("What it was submitted with.") @Nullable Integer parallelism,
    @JsonPropertyDescription("What it was submitted with.") @Nullable String entryClass,
    @JsonPropertyDescription("What it was submitted with.") @Nullable String programArgs,
    @JsonPropertyDescription("What it was submitted with.") @Nullable Boolean allowNonRestoredState,
    @JsonPropertyDescription("When it was started.") @Nullable String startTime,
    @JsonPropertyDescription("How often it was restored.") @Nullable Integer jobRestartCount,
    @JsonPropertyDescription("Checkpoints that it has completed.")
        @Nullable Integer completedCheckpointCount,
    @JsonPropertyDescription("Checkpoints of it that have failed.")
        @Nullable Integer failedCheckpointCount,
    @JsonPropertyDescription("What it was last restored from.") @Nullable String restorePath,
    @JsonPropertyDescription("When it was last restored.") @Nullable String restoreTime,
    @JsonPropertyDescription("When it was last seen failing.") @Nullable String lastFailingTime,
    @JsonPropertyDescription("Path of its newest completed checkpoint.")
        @Nullable String lastCheckpoint,
    @JsonPropertyDescription("When that was taken.") @Nullable String lastCheckpointTime,
    @JsonPropertyDescription("Tasks that run.") @Nullable Integer runningTasks,
    @JsonPropertyDescription("All tasks.") @Nullable Integer totalTasks)
    implements ApplicationJobStatusBuilder.With {

  /** Says nothing; a start for the {@code with} methods. */
  public static final ApplicationJobStatus EMPTY = ApplicationJobStatusBuilder.builder().build();
}
