package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.JsonRecord;
import org.jspecify.annotations.Nullable;

/** The older way to name a savepoint. */
@JsonRecord
public record NamedSavepoint(
    @JsonPropertyDescription("Deprecated: use savepointPath.")
        @Nullable String savepointLocation) {}
