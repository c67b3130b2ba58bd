package dev.sluice.api.sessionjob;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.JsonRecord;
import org.jspecify.annotations.Nullable;

/**
 * What the annotations of a JobManager Deployment are for an application: which job was started,
 * and for what. It is written before Flink is asked to run the job, so that as long as it names
 * another job, that job was never started.
 */
@JsonRecord
public record Submission(
    @JsonPropertyDescription("Id of the job, which was fixed before.") @Nullable String jobId,
    @JsonPropertyDescription("Generation of the spec that the job is started for.")
        @Nullable Long generation,
    @JsonPropertyDescription(
            "Id of the session cluster (sluice.dev/job-id of its Deployment) that it was sent to.")
        @Nullable String clusterId,
    @JsonPropertyDescription(
            "Container of the JobManager that was there before it was asked to run the job.")
        @Nullable String jobManager,
    @JsonPropertyDescription(
            "Whether an operation has ended the job for good: it is no job of the resource any more.")
        @Nullable Boolean removed,
    @JsonPropertyDescription(
            "When Flink was last about to be asked to run the job; missing as long as it was not, or has certainly refused.")
        @Nullable String sentAt) {}
