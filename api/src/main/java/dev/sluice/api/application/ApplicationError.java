package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.JsonRecord;
import org.jspecify.annotations.Nullable;

/**
 * Why the operation is held, or has failed; absent while nothing is wrong. Written by the workflow
 * only.
 */
@JsonRecord
public record ApplicationError(
    @JsonPropertyDescription("What went wrong.") @Nullable String appError,
    @JsonPropertyDescription("The step that it went wrong at.") @Nullable String method,
    @JsonPropertyDescription("One word for it.") @Nullable String errorCode,
    @JsonPropertyDescription("Whether it may pass by itself.") @Nullable Boolean isRetryable,
    @JsonPropertyDescription("Whether it cannot pass by itself.") @Nullable Boolean isFailFast,
    @JsonPropertyDescription("Of Lyft's operator; not used.") @Nullable Integer maxRetries,
    @JsonPropertyDescription("When it was seen, RFC 3339.") @Nullable String lastErrorUpdateTime) {}
