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

/** The JobManager pods of a cluster. */
@SchemaCustomizer(value = DeepMerge.class, input = ApplicationSchema.JOB_MANAGER)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record JobManagerConfig(
    @JsonPropertyDescription(
            "Requests and limits of the container. Default: 4 CPUs and 3072Mi, both requests and limits.")
        ResourceRequirements resources,
    @JsonPropertyDescription("Environment variables.") EnvironmentConfig envConfig,
    @JsonPropertyDescription("JobManagers; more than one needs high availability in flinkConfig.")
        Integer replicas,
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
  public static final JobManagerConfig DEFAULT =
      new JobManagerConfig(
          ContainerSize.of("4", "3072"),
          EnvironmentConfig.NONE,
          1,
          null,
          null,
          Map.of(),
          List.of(),
          null);

  public JobManagerConfig {
    resources = resources == null ? ContainerSize.of("4", "3072") : resources;
    envConfig = envConfig == null ? EnvironmentConfig.NONE : envConfig;
    replicas = replicas == null ? 1 : replicas;
    nodeSelector = Json.copyOrEmpty(nodeSelector);
    tolerations = Json.copyOrEmpty(tolerations);
    affinity = Json.nullToAbsent(affinity);
  }
}
