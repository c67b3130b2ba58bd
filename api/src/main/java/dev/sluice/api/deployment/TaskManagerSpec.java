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
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import org.jspecify.annotations.Nullable;

/** The TaskManager pods of a cluster. */
@SchemaCustomizer(value = DeepMerge.class, input = PodSchema.PATCH)
@JsonRecord
public record TaskManagerSpec(
    @JsonPropertyDescription("CPU and memory of the pod. Deprecated: use resources.")
        @Nullable Resource resource,
    @JsonPropertyDescription("Requests and limits of the main container. Wins over resource.")
        @Nullable ResourceRequirements resources,
    @JsonPropertyDescription(
            "TaskManager pods. When given, parallelism is replicas x slots and job.parallelism is not used.")
        @Min(1)
        @Max(ClusterSize.MAX_PARALLELISM)
        @SpecReplicas
        @Nullable Integer replicas,
    @JsonPropertyDescription(
            "Pod merged over spec.podTemplate for TaskManager pods. Unknown fields are kept.")
        @Nullable JsonNode podTemplate) {

  /** Everything left to the Flink configuration. */
  public static final TaskManagerSpec DEFAULT = new TaskManagerSpec(null, null, null, null);

  public TaskManagerSpec {
    resources = Json.withoutNulls(resources);
    podTemplate = Json.withoutNullFields(podTemplate);
  }

  /** A copy with so many pods; null leaves it to Flink, or to the parallelism. */
  public TaskManagerSpec withReplicas(@Nullable Integer number) {
    return new TaskManagerSpec(resource, resources, number, podTemplate);
  }
}
