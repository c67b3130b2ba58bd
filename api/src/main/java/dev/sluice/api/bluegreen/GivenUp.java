package dev.sluice.api.bluegreen;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** The newest spec that was given up: it is not tried again until it changes, or by a retry. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record GivenUp(
    @JsonPropertyDescription("Its generation.") @Nullable Long generation,
    @JsonPropertyDescription("Why.") @Nullable String message) {}
