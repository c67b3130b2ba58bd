package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * What the spec of a resource has already made Sluice take. One that says nothing is not the same
 * as none: no nonce was answered so far.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record SnapshotTrigger(
    @JsonPropertyDescription("The newest nonce that was answered, or that the job began with.")
        @Nullable Long nonce,
    @JsonPropertyDescription("Name of the FlinkStateSnapshot that was made for it, or would have.")
        @Nullable String snapshot,
    @JsonPropertyDescription(
            "Value of the annotation that asked for it; absent when the nonce did.")
        @Nullable String annotation) {}
