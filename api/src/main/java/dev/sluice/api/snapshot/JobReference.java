package dev.sluice.api.snapshot;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** The resource, in the same namespace, whose job the snapshot is of. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record JobReference(
    @JsonPropertyDescription("FlinkDeployment or FlinkSessionJob.") @Nullable JobKind kind,
    @JsonPropertyDescription("Its name.") @Size(max = 253) @Nullable String name) {}
