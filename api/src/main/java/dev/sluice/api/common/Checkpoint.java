package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** A checkpoint Apache's operator has recorded in the status (from before FlinkStateSnapshot). */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record Checkpoint(
    @JsonPropertyDescription("When it was triggered, milliseconds since 1970.") long timeStamp,
    @JsonPropertyDescription("MANUAL, PERIODIC, UPGRADE or UNKNOWN.") @Nullable String triggerType,
    @JsonPropertyDescription("FULL, INCREMENTAL or UNKNOWN.") @Nullable String formatType,
    @JsonPropertyDescription("The nonce that triggered it, when triggered by hand.")
        @Nullable Long triggerNonce) {}
