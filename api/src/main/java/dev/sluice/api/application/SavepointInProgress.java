package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.JsonRecord;
import org.jspecify.annotations.Nullable;

/** A savepoint that an operation is taking; its trigger id is recorded before Flink is asked. */
@JsonRecord
public record SavepointInProgress(
    @JsonPropertyDescription("Its trigger id, as savepointTriggerId.") @Nullable String triggerId,
    @JsonPropertyDescription("Id of the job in Flink.") @Nullable String jobId,
    @JsonPropertyDescription("When it was recorded, RFC 3339.") @Nullable String since,
    @JsonPropertyDescription("Whether the job ends with it.") @Nullable Boolean stops) {}
