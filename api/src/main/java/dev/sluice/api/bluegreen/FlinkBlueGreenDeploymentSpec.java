package dev.sluice.api.bluegreen;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.Json;
import dev.sluice.api.common.JsonRecord;
import dev.sluice.api.common.WithMethods;
import dev.sluice.api.crd.DeepMerge;
import dev.sluice.api.deployment.IngressSpec;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The desired state: what both children are made from, and how one replaces the other. */
@SchemaCustomizer(
    value = DeepMerge.class,
    input =
        """
        {"properties": {
          "configuration": {"maxProperties": 64},
          "template": {"properties": {"spec": {"properties": {"taskManager": {"properties": {
            "replicas": {
              "description":
                "TaskManager pods. When given, parallelism is replicas x slots and job.parallelism is not used.",
              "type": "integer",
              "minimum": 1,
              "maximum": 32768
            }
          }}}}}}
        }}
        """)
@JsonRecord
@WithMethods
public record FlinkBlueGreenDeploymentSpec(
    @JsonPropertyDescription(
            "How a transition goes: keys kubernetes.operator.bluegreen.* and sluice.bluegreen.*.")
        Map<String, String> configuration,
    @JsonPropertyDescription("Ingress in front of the REST port of the live child.")
        @Nullable IngressSpec ingress,
    @JsonPropertyDescription("What each child is made from.") ChildTemplate template)
    implements FlinkBlueGreenDeploymentSpecBuilder.With {

  /** The spec of a resource that says nothing. Not valid, but never null. */
  public static final FlinkBlueGreenDeploymentSpec EMPTY =
      new FlinkBlueGreenDeploymentSpec(Map.of(), null, ChildTemplate.EMPTY);

  public FlinkBlueGreenDeploymentSpec {
    configuration = Json.copyOrEmpty(configuration);
    template = template == null ? ChildTemplate.EMPTY : template;
  }
}
