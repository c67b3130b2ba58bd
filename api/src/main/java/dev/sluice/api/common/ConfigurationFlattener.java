package dev.sluice.api.common;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.SortedMap;
import java.util.TreeMap;

/** Turns nested configuration into flat keys. */
final class ConfigurationFlattener {
  private ConfigurationFlattener() {}

  static SortedMap<String, String> flatten(JsonNode root) {
    TreeMap<String, String> flat = new TreeMap<>();
    root.properties().forEach(field -> flatten(field.getKey(), field.getValue(), flat));
    return flat;
  }

  private static void flatten(String key, JsonNode value, SortedMap<String, String> flat) {
    if (value.isObject()) {
      value
          .properties()
          .forEach(field -> flatten(key + "." + field.getKey(), field.getValue(), flat));
    } else if (value.isArray()) {
      flat.put(key, list(value));
    } else if (!value.isNull()) {
      flat.put(key, value.asText());
    }
  }

  /**
   * Items joined by semicolons: the one form of a list that the parsers of Flink 1.15 to 2.x all
   * read ({@code ConfigurationUtils.convertToList} falls back to it when the text is no YAML list).
   * Lists of lists or objects stay JSON, which is YAML.
   */
  private static String list(JsonNode items) {
    StringBuilder joined = new StringBuilder();
    for (JsonNode item : items) {
      if (item.isContainerNode()) {
        return items.toString();
      }
      joined.append(joined.isEmpty() ? "" : ";").append(quoted(item.asText()));
    }
    return joined.toString();
  }

  /** As Flink's {@code StructuredOptionsSplitter} undoes it: single quotes, doubled inside. */
  private static String quoted(String item) {
    boolean plain = item.indexOf(';') < 0 && item.indexOf('\'') < 0 && item.indexOf('"') < 0;
    return plain ? item : "'" + item.replace("'", "''") + "'";
  }
}
