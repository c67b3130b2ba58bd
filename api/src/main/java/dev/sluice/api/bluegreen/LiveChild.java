package dev.sluice.api.bluegreen;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.JsonRecord;
import org.jspecify.annotations.Nullable;

/** The child that is live. */
@JsonRecord
public record LiveChild(
    @JsonPropertyDescription("blue or green.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable Color color,
    @JsonPropertyDescription("Generation of the spec that it was made for.")
        @Nullable Long generation,
    @JsonPropertyDescription("When it became live, RFC 3339.") @Nullable String since) {}
