package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** A snapshot that was given up, and that Flink may complete, or have completed, all the same. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record EarlierTrigger(
    @JsonPropertyDescription("Name of the snapshot.") @Nullable String name,
    @Nullable String triggerId,
    @Nullable String jobId) {}
