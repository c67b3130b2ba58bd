package dev.sluice.api.deployment;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.common.Json;
import dev.sluice.api.common.JsonRecord;
import dev.sluice.api.common.Resource;
import dev.sluice.api.crd.DeepMerge;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import org.jspecify.annotations.Nullable;

/** The JobManager pods of a cluster. */
@SchemaCustomizer(value = DeepMerge.class, input = PodSchema.PATCH)
@JsonRecord
public record JobManagerSpec(
    @JsonPropertyDescription("CPU and memory of the pod. Deprecated: use resources.")
        @Nullable Resource resource,
    @JsonPropertyDescription("Requests and limits of the main container. Wins over resource.")
        @Nullable ResourceRequirements resources,
    @JsonPropertyDescription("JobManager pods; default 1. More than one needs high availability.")
        @Min(1)
        @Max(100)
        Integer replicas,
    @JsonPropertyDescription(
            "Pod merged over spec.podTemplate for JobManager pods. Unknown fields are kept.")
        @Nullable JsonNode podTemplate) {

  /** One JobManager, everything else left to the Flink configuration. */
  public static final JobManagerSpec DEFAULT = new JobManagerSpec(null, null, 1, null);

  public JobManagerSpec {
    replicas = replicas == null ? 1 : replicas;
    resources = Json.withoutNulls(resources);
    podTemplate = Json.withoutNullFields(podTemplate);
  }
}
