package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** A checkpoint in a status, as Apache's operator records it without a FlinkStateSnapshot. */
@JsonRecord
public record Checkpoint(
    @JsonPropertyDescription("When it was triggered, milliseconds since 1970.") long timeStamp,
    @JsonPropertyDescription("MANUAL, PERIODIC, UPGRADE or UNKNOWN.") @Nullable String triggerType,
    @JsonPropertyDescription("FULL, INCREMENTAL or UNKNOWN.") @Nullable String formatType,
    @JsonPropertyDescription("The nonce that triggered it, when triggered by hand.")
        @Nullable Long triggerNonce) {}
