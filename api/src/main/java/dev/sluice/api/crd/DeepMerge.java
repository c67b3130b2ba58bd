package dev.sluice.api.crd;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/**
 * Adds to a generated schema what no annotation can say (list types, maps without a bound). The
 * generator's own {@code MergePatchCustomizer} replaces whole maps: a patch of one property loses
 * the others.
 */
public final class DeepMerge implements SchemaCustomizer.Customizer {
  /** For a status: at most one condition of each type. */
  public static final String CONDITIONS =
      """
      {"properties": {"conditions": {
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["type"],
        "items": {
          "required": ["type"],
          "properties": {"status": {"enum": ["True", "False", "Unknown"]}}
        }
      }}}
      """;

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * {@code schema} with every value of {@code patch} put in its place.
   *
   * @param patch a part of an OpenAPI v3 schema, as JSON
   * @throws IllegalArgumentException when the patch is not that; the build fails with it
   */
  @Override
  public JSONSchemaProps apply(
      JSONSchemaProps schema, String patch, KubernetesSerialization serialization) {
    ObjectNode tree = JSON.valueToTree(schema);
    try {
      JSON.readerForUpdating(tree).readValue(patch);
      return JSON.treeToValue(tree, JSONSchemaProps.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Not a part of a schema: " + patch, e);
    }
  }
}
