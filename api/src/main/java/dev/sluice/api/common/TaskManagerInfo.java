package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import org.jspecify.annotations.Nullable;

/** What the scale subresource reads. */
@JsonRecord
public record TaskManagerInfo(
    @JsonPropertyDescription("Selects the TaskManager pods.") @LabelSelector
        @Nullable String labelSelector,
    @JsonPropertyDescription(
            "TaskManager pods asked for, in standalone mode by their Deployment; 0 when the spec does"
                + " not say.")
        @StatusReplicas
        @Min(0)
        int replicas) {}
