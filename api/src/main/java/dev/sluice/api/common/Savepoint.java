package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** A savepoint Apache's operator has recorded in the status (from before FlinkStateSnapshot). */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record Savepoint(
    @JsonPropertyDescription("When it was triggered, milliseconds since 1970.") long timeStamp,
    @JsonPropertyDescription("Where it is.") @Nullable String location,
    @JsonPropertyDescription("MANUAL, PERIODIC, UPGRADE or UNKNOWN.") @Nullable String triggerType,
    @JsonPropertyDescription("CANONICAL, NATIVE or UNKNOWN.") @Nullable String formatType,
    @JsonPropertyDescription("The nonce that triggered it, when triggered by hand.")
        @Nullable Long triggerNonce) {}
