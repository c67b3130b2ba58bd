package dev.sluice.local.node.container;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.local.os.Resources;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Finds what a pod asks for and the local node does not do.
 *
 * @param known which fields are honoured and which are ignored on purpose, by the kind of object
 */
record PodFields(Map<String, Map<String, Set<String>>> known) {

  static PodFields read() throws IOException {
    String yaml = Resources.text(PodFields.class, "pod-fields.yaml");
    return new PodFields(new YAMLMapper().readValue(yaml, new TypeReference<>() {}));
  }

  /** The fields of a container, and of its pod, for which it cannot be started. */
  List<String> refused(PodSpec pod, Container container) {
    List<String> refused = new ArrayList<>();
    collect("pod", json(pod), "", refused);
    JsonNode json = json(container);
    collect("container", json, "", refused);
    for (JsonNode mount : json.path("volumeMounts")) {
      collect("volumeMounts", mount, "volumeMounts.", refused);
    }
    for (String name : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
      collect("probe", json.path(name), name + ".", refused);
      for (String action : List.of("httpGet", "tcpSocket")) {
        collect(action, json.path(name).path(action), name + "." + action + ".", refused);
      }
      if (json.path(name).path("httpGet").path("scheme").asText().equals("HTTPS")) {
        refused.add(name + ".httpGet.scheme HTTPS");
      }
    }
    return refused;
  }

  private static JsonNode json(Object object) {
    return Serialization.jsonMapper().valueToTree(object);
  }

  private void collect(String kind, JsonNode object, String path, List<String> refused) {
    for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (Objects.requireNonNull(known.get(kind)).values().stream()
          .noneMatch(fields -> fields.contains(name))) {
        refused.add(path + name);
      }
    }
  }
}
