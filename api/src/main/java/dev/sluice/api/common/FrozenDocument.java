package dev.sluice.api.common;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * A spec of any kind as it was when an operation began: {@code {"spec": {...}, "resource_metadata":
 * {"apiVersion": ..., "metadata": {"generation": N}, "firstDeployment": false,
 * "defaultConfiguration": {...}}}}.
 *
 * <p>The format is Apache's, so that a fleet moves over without restarting a job; only {@code
 * defaultConfiguration} is ours. What may be a secret among the defaults is not written.
 *
 * @param spec the spec as JSON
 * @param generation {@code metadata.generation} the spec had; 0 when the writer did not say
 * @param firstDeployment whether nothing was deployed before it
 * @param defaults the operator's Flink configuration that held when it was frozen; null when the
 *     writer did not say, as Apache's operator
 */
public record FrozenDocument(
    JsonNode spec,
    long generation,
    boolean firstDeployment,
    @Nullable FlinkConfiguration defaults) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String META = "resource_metadata";
  private static final String DEFAULTS = "defaultConfiguration";

  /** The JSON of a spec. */
  public static JsonNode tree(Object spec) {
    return JSON.valueToTree(spec);
  }

  /** Whether a default is not written. */
  public static boolean isSecret(String key, String value) {
    return SecretNames.isSecret(key) || SecretNames.isAssigned(value);
  }

  /**
   * The spec.
   *
   * @throws IllegalArgumentException when it is not one of that type
   */
  public <T> T spec(Class<T> type) {
    try {
      return JSON.treeToValue(spec, type);
    } catch (JsonProcessingException e) {
      throw unreadable(e);
    }
  }

  /** The string for {@code lastReconciledSpec}; the same each time for the same spec. */
  public String toJson(String apiVersion) {
    ObjectNode root = JSON.createObjectNode();
    root.set("spec", spec);
    ObjectNode meta = root.putObject(META);
    meta.put("apiVersion", apiVersion);
    meta.putObject("metadata").put("generation", generation);
    meta.put("firstDeployment", firstDeployment);
    if (defaults != null) {
      ObjectNode written = meta.putObject(DEFAULTS);
      defaults
          .asMap()
          .forEach(
              (key, value) -> {
                if (!isSecret(key, value)) {
                  written.put(key, value);
                }
              });
    }
    return root.toString();
  }

  /**
   * Reads what {@link #toJson} or Apache's operator wrote. Its oldest releases wrote the bare spec
   * with an {@code apiVersion} next to it.
   *
   * @throws IllegalArgumentException when it is not such a document
   */
  public static FrozenDocument parse(String json) {
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
      return new FrozenDocument(
          spec,
          meta.path("metadata").path("generation").asLong(0),
          meta.path("firstDeployment").asBoolean(false),
          meta.path(DEFAULTS).isObject() ? FlinkConfiguration.of(meta.path(DEFAULTS)) : null);
    } catch (JsonProcessingException e) {
      throw unreadable(e);
    }
  }

  private static IllegalArgumentException unreadable(JsonProcessingException e) {
    return new IllegalArgumentException(
        "Not the JSON of a frozen spec: " + e.getOriginalMessage(), e);
  }
}
