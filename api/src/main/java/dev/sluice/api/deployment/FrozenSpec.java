package dev.sluice.api.deployment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * A spec as it was when an operation began, kept as a JSON string in {@code
 * status.reconciliationStatus}: {@code {"spec": {...}, "resource_metadata": {"apiVersion": ...,
 * "metadata": {"generation": N}, "firstDeployment": false}}}.
 *
 * <p>The format is Apache's, so that a fleet moves over without restarting a job.
 *
 * @param spec the whole spec
 * @param generation {@code metadata.generation} the spec had; 0 when the writer did not say
 * @param firstDeployment whether nothing was deployed before it
 */
public record FrozenSpec(FlinkDeploymentSpec spec, long generation, boolean firstDeployment) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String META = "resource_metadata";

  /** The string for {@code lastReconciledSpec}; the same each time for the same spec. */
  public String toJson() {
    ObjectNode root = JSON.createObjectNode();
    root.set("spec", JSON.valueToTree(spec));
    ObjectNode meta = root.putObject(META);
    meta.put("apiVersion", FlinkDeployment.API_VERSION);
    meta.putObject("metadata").put("generation", generation);
    meta.put("firstDeployment", firstDeployment);
    return root.toString();
  }

  /**
   * As {@link #parse}; null for null.
   *
   * @throws IllegalArgumentException when it is not such a document
   */
  public static @Nullable FrozenSpec parseNullable(@Nullable String json) {
    return json == null ? null : parse(json);
  }

  /**
   * Reads what {@link #toJson} or Apache's operator wrote. Its oldest releases wrote the bare spec
   * with an {@code apiVersion} beside it.
   *
   * @throws IllegalArgumentException when it is not such a document
   */
  public static FrozenSpec parse(String json) {
    try {
      JsonNode root = JSON.readTree(json);
      if (!root.isObject()) {
        throw new IllegalArgumentException("A frozen spec must be a JSON object, is: " + root);
      }
      JsonNode meta = root.path(META);
      JsonNode spec = meta.isMissingNode() ? root : root.path("spec");
      if (!spec.isObject()) {
        throw new IllegalArgumentException("A frozen spec must have an object \"spec\"");
      }
      return new FrozenSpec(
          JSON.treeToValue(spec, FlinkDeploymentSpec.class),
          meta.path("metadata").path("generation").asLong(0),
          meta.path("firstDeployment").asBoolean(false));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "Not the JSON of a frozen spec: " + e.getOriginalMessage(), e);
    }
  }
}
