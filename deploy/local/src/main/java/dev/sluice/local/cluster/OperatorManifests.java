package dev.sluice.local.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Fits the operator's production manifests to a laptop cluster: the settings that differ there, and
 * a mark that makes a Deployment roll when its program was rebuilt. A Deployment whose program is
 * not built is left out.
 */
final class OperatorManifests {

  /** The ConfigMap with the settings of controller and worker. */
  static final String SETTINGS = "sluice-operator";

  private static final String BUILD_ANNOTATION = "sluice.dev/build";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final YAMLMapper YAML = new YAMLMapper();

  private final Map<String, String> settings;
  private final UnaryOperator<String> buildOf;

  /**
   * @param settings entries for the ConfigMap {@value #SETTINGS}
   * @param buildOf fingerprint of what an image runs; empty text when it is ours and not built
   */
  OperatorManifests(Map<String, String> settings, UnaryOperator<String> buildOf) {
    this.settings = Map.copyOf(settings);
    this.buildOf = buildOf;
  }

  /**
   * The fitted manifests.
   *
   * @param json one JSON document after another, to be applied
   * @param deployments names of the Deployments among them
   * @param notBuilt names of those left out
   */
  record Fitted(String json, List<String> deployments, List<String> notBuilt) {}

  /**
   * Fits the documents of several YAML files.
   *
   * @throws IOException when one is no YAML
   */
  Fitted fit(List<String> yamlFiles) throws IOException {
    StringBuilder json = new StringBuilder();
    List<String> deployments = new ArrayList<>();
    List<String> notBuilt = new ArrayList<>();
    for (String yaml : yamlFiles) {
      try (MappingIterator<JsonNode> documents = YAML.readerFor(JsonNode.class).readValues(yaml)) {
        while (documents.hasNext()) {
          JsonNode document = documents.next();
          if (!(document instanceof ObjectNode object)) {
            continue;
          }
          if (object.path("kind").asText().equals("Deployment")) {
            String name = object.at("/metadata/name").asText();
            boolean built = mark(object);
            (built ? deployments : notBuilt).add(name);
            if (!built) {
              continue;
            }
          }
          configure(object);
          json.append(text(object)).append('\n');
        }
      }
    }
    return new Fitted(json.toString(), deployments, notBuilt);
  }

  private boolean mark(ObjectNode deployment) {
    String image = deployment.at("/spec/template/spec/containers/0/image").asText();
    String build = buildOf.apply(image);
    ObjectNode metadata = deployment.withObject("/spec/template/metadata");
    metadata.withObject("/annotations").put(BUILD_ANNOTATION, build + "-" + settings.hashCode());
    return !build.isEmpty();
  }

  private void configure(ObjectNode object) {
    boolean isSettings =
        object.path("kind").asText().equals("ConfigMap")
            && object.at("/metadata/name").asText().equals(SETTINGS);
    if (isSettings) {
      settings.forEach(object.withObject("/data")::put);
    }
  }

  private static String text(JsonNode document) {
    try {
      return JSON.writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("what was read can be written", e);
    }
  }
}
