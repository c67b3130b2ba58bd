package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** What was last seen of the job. */
@JsonRecord
@WithMethods
public record JobStatus(
    @JsonPropertyDescription("Name of the job in Flink.") @Nullable String jobName,
    @JsonPropertyDescription("Id of the job in Flink, 32 hex digits. Fixed before it is submitted.")
        @Nullable String jobId,
    @JsonPropertyDescription("State of the job in Flink.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable FlinkJobState state,
    @JsonPropertyDescription("When it started, milliseconds since 1970.")
        @Nullable String startTime,
    @JsonPropertyDescription("When its state last changed, milliseconds since 1970.")
        @Nullable String updateTime,
    @JsonPropertyDescription(
            "Savepoint or checkpoint of the last stop; what the next start restores from.")
        @Nullable String upgradeSavepointPath,
    @JsonPropertyDescription(
            "Savepoints that were taken without a FlinkStateSnapshot. Deprecated: see the FlinkStateSnapshots of the job.")
        @Nullable SavepointInfo savepointInfo,
    @JsonPropertyDescription(
            "Checkpoints that were taken without a FlinkStateSnapshot. Deprecated: see the FlinkStateSnapshots of the job.")
        @Nullable CheckpointInfo checkpointInfo)
    implements JobStatusBuilder.With {

  /** Says nothing; a start for the {@code with} methods. */
  public static final JobStatus EMPTY =
      new JobStatus(null, null, null, null, null, null, null, null);
}
