package dev.sluice.api.snapshot;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** The resource, in the same namespace, whose job the snapshot is of. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record JobReference(
    @JsonPropertyDescription("FlinkDeployment or FlinkSessionJob.") @Required
        @Nullable JobKind kind,
    @JsonPropertyDescription("Its name.") @Required @Size(min = 1, max = 253)
        @Nullable String name) {}
