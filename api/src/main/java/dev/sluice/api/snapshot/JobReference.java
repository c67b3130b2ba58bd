package dev.sluice.api.snapshot;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.JsonRecord;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** The resource, in the same namespace, whose job the snapshot is of. */
@JsonRecord
public record JobReference(
    @JsonPropertyDescription("FlinkDeployment or FlinkSessionJob.") @Required
        @Nullable JobKind kind,
    @JsonPropertyDescription("Its name.") @Required @Size(min = 1, max = 253)
        @Nullable String name) {}
