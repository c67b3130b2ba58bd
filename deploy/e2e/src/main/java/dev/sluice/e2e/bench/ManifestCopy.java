package dev.sluice.e2e.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The objects of a Flink cluster that Sluice made, to be applied by hand under another name.
 *
 * @param list a Kubernetes List
 */
record ManifestCopy(ObjectNode list) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MANAGED_BY = "app.kubernetes.io/managed-by";
  private static final Set<String> ADDRESSES =
      Set.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy");

  /**
   * Copies objects.
   *
   * @param objects as the API server gave them
   * @param name the cluster's name, which is part of the names of its objects
   * @param copy the name of the copy
   */
  static ManifestCopy of(List<JsonNode> objects, String name, String copy) {
    ObjectNode list = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "List");
    ArrayNode items = list.putArray("items");
    for (JsonNode object : objects) {
      items.add(bare(renamed(object, name, copy)));
    }
    return new ManifestCopy(list);
  }

  /**
   * The documents to apply.
   *
   * @param jobId 32 hex digits
   * @param savepoint what the job starts from; empty: without state
   */
  String with(String image, String jobId, String savepoint) {
    ObjectNode copy = list.deepCopy();
    for (JsonNode item : copy.path("items")) {
      for (JsonNode container : item.at("/spec/template/spec/containers")) {
        ((ObjectNode) container).put("image", image);
      }
      if (item.path("data").has("config.yaml")) {
        ObjectNode data = (ObjectNode) item.path("data");
        String config = data.path("config.yaml").asText();
        String old = value(config, "$internal.pipeline.job-id");
        config = config.replace(old, jobId);
        config = set(config, "kubernetes.container.image.ref", image);
        if (!savepoint.isEmpty()) {
          config = set(config, "execution.state-recovery.path", savepoint);
        }
        data.put("config.yaml", config);
      }
    }
    return copy.toString();
  }

  private static JsonNode renamed(JsonNode object, String name, String copy) {
    try {
      return JSON.readTree(object.toString().replace(name, copy));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("'" + copy + "' does not fit into JSON", e);
    }
  }

  /** Without what the API server and controllers added, and without an owner. */
  private static ObjectNode bare(JsonNode object) {
    ObjectNode copy = object.deepCopy();
    copy.remove("status");
    ObjectNode metadata = copy.withObject("/metadata");
    metadata.retain("name", "namespace", "labels");
    metadata.withObject("/labels").remove(MANAGED_BY);
    if (copy.path("kind").asText().equals("Service")
        && !copy.at("/spec/clusterIP").asText().equals("None")) {
      copy.withObject("/spec").remove(ADDRESSES);
    }
    return copy;
  }

  private static String value(String config, String key) {
    Matcher line = line(key).matcher(config);
    if (!line.find()) {
      throw new IllegalArgumentException("config.yaml does not say '" + key + "'");
    }
    return line.group(1);
  }

  private static String set(String config, String key, String value) {
    String text = Matcher.quoteReplacement(key + ": \"" + value + "\"");
    Matcher line = line(key).matcher(config);
    return line.find() ? line.replaceFirst(text) : config + key + ": \"" + value + "\"\n";
  }

  private static Pattern line(String key) {
    return Pattern.compile("(?m)^" + Pattern.quote(key) + ": \"([^\"]*)\"$");
  }
}
