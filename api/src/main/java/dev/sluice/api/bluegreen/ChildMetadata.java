package dev.sluice.api.bluegreen;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.Json;
import dev.sluice.api.crd.DeepMerge;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import java.util.Map;

/** What the metadata of the children has of the user's. Other fields are taken and not used. */
@SchemaCustomizer(
    value = DeepMerge.class,
    input =
        """
        {"x-kubernetes-preserve-unknown-fields": true}
        """)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ChildMetadata(
    @JsonPropertyDescription("Labels of the children.") Map<String, String> labels,
    @JsonPropertyDescription("Annotations of the children.") Map<String, String> annotations) {

  /** Says nothing. */
  public static final ChildMetadata EMPTY = new ChildMetadata(Map.of(), Map.of());

  public ChildMetadata {
    labels = Json.copyOrEmpty(labels);
    annotations = Json.copyOrEmpty(annotations);
  }
}
