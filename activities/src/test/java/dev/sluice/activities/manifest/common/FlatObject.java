package dev.sluice.activities.manifest.common;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;

/** A Kubernetes object as one line per value, files in a ConfigMap as what their readers see. */
public final class FlatObject {
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final List<String> LISTS =
      List.of("$internal.application.program-args", "pipeline.jars");

  private FlatObject() {}

  public static SortedMap<String, String> of(JsonNode object) {
    SortedMap<String, String> lines = new TreeMap<>();
    flatten("", object, lines);
    return lines;
  }

  private static void flatten(String path, JsonNode node, Map<String, String> lines) {
    if (node.isObject() && !node.isEmpty()) {
      node.properties().forEach(field -> field(path, field.getKey(), field.getValue(), lines));
    } else if (node.isArray() && !node.isEmpty()) {
      for (int i = 0; i < node.size(); i++) {
        flatten(path + "[" + i + "]", node.get(i), lines);
      }
    } else {
      lines.put(path, node.isValueNode() ? node.asText() : node.toString());
    }
  }

  private static void field(String path, String name, JsonNode value, Map<String, String> lines) {
    if (name.equals("config.yaml")) {
      readByFlink(value.asText()).forEach((key, text) -> lines.put("config.yaml " + key, text));
    } else if (name.equals("taskmanager-pod-template.yaml")) {
      flatten("taskmanager-pod-template.yaml", yaml(value.asText()), lines);
    } else if (path.endsWith("configMap") && name.equals("items")) {
      value.forEach(item -> lines.put(path + ".items " + item, ""));
    } else {
      flatten(path.isEmpty() ? name : path + "." + name, value, lines);
    }
  }

  /** Through the loader every Flink process uses. */
  public static Map<String, String> readByFlink(String configYaml) {
    try {
      Path folder = Files.createTempDirectory("flink-conf");
      Path file = Files.writeString(folder.resolve("config.yaml"), configYaml);
      Configuration configuration = GlobalConfiguration.loadConfiguration(folder.toString());
      Files.delete(file);
      Files.delete(folder);
      Map<String, String> options = configuration.toMap();
      for (String key : LISTS) {
        configuration
            .getOptional(ConfigOptions.key(key).stringType().asList().noDefaultValue())
            .ifPresent(list -> options.put(key, list.toString()));
      }
      return options;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode yaml(String text) {
    try {
      return YAML.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
