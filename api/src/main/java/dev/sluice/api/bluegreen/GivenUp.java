package dev.sluice.api.bluegreen;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.JsonRecord;
import org.jspecify.annotations.Nullable;

/** The newest spec that was given up: it is not tried again until it changes, or by a retry. */
@JsonRecord
public record GivenUp(
    @JsonPropertyDescription("Its generation.") @Nullable Long generation,
    @JsonPropertyDescription("Why.") @Nullable String message) {}
