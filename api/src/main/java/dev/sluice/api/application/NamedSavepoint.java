package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** The older way to name a savepoint. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record NamedSavepoint(
    @JsonPropertyDescription("Deprecated: use savepointPath.")
        @Nullable String savepointLocation) {}
