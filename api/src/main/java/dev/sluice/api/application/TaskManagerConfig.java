package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.common.Json;
import dev.sluice.api.crd.DeepMerge;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The TaskManager pods of a cluster. */
@SchemaCustomizer(value = DeepMerge.class, input = ApplicationSchema.TASK_MANAGER)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record TaskManagerConfig(
    @JsonPropertyDescription(
            "Requests and limits of the container. Default: 2 CPUs and 1024Mi, both requests and limits.")
        ResourceRequirements resources,
    @JsonPropertyDescription("Environment variables.") EnvironmentConfig envConfig,
    @JsonPropertyDescription("Slots of each TaskManager.") Integer taskSlots,
    @JsonPropertyDescription(
            "Part of the requested memory that is not heap, before Flink 1.11. Default 0.5.")
        @Nullable Double offHeapMemoryFraction,
    @JsonPropertyDescription(
            "Part of the requested memory that is not Flink's, since Flink 1.11. Default 0.2.")
        @Nullable Double systemMemoryFraction,
    @JsonPropertyDescription("Labels of the nodes that the pods may run on.")
        Map<String, String> nodeSelector,
    @JsonPropertyDescription("Taints that the pods tolerate.") List<Toleration> tolerations,
    @JsonPropertyDescription("Which nodes the pods prefer, and which pods they stay away from.")
        @Nullable JsonNode affinity) {

  /** As of a spec that does not say. */
  public static final TaskManagerConfig DEFAULT =
      new TaskManagerConfig(
          ContainerSize.of("2", "1024"),
          EnvironmentConfig.NONE,
          16,
          null,
          null,
          Map.of(),
          List.of(),
          null);

  public TaskManagerConfig {
    resources = resources == null ? ContainerSize.of("2", "1024") : resources;
    envConfig = envConfig == null ? EnvironmentConfig.NONE : envConfig;
    taskSlots = taskSlots == null ? 16 : taskSlots;
    nodeSelector = Json.copyOrEmpty(nodeSelector);
    tolerations = Json.copyOrEmpty(tolerations);
    affinity = Json.nullToAbsent(affinity);
  }
}
