package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.JsonRecord;
import dev.sluice.api.crd.DeepMerge;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import org.jspecify.annotations.Nullable;

/**
 * When the new version of two that run has proved itself, so that the old one is torn down without
 * being asked for. Not one of Lyft's fields.
 */
@SchemaCustomizer(
    value = DeepMerge.class,
    input =
        """
        {"properties": {
          "stableSeconds": {"minimum": 0, "maximum": 604800, "default": 0},
          "checkpoints": {"minimum": 0, "maximum": 1000, "default": 0}
        }}""")
@JsonRecord
public record Promotion(
    @JsonPropertyDescription("For so long no task of the new job may have been started again.")
        @Nullable Long stableSeconds,
    @JsonPropertyDescription("So many checkpoints the new job must have completed.")
        @Nullable Integer checkpoints) {}
