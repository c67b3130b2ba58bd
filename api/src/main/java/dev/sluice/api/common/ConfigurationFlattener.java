package dev.sluice.api.common;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/** Turns nested configuration into flat keys. */
final class ConfigurationFlattener {
  private ConfigurationFlattener() {}

  static SortedMap<String, String> flatten(JsonNode root) {
    TreeMap<String, String> flat = new TreeMap<>();
    flatten("", root, flat::put);
    return flat;
  }

  /** Keys that are given more than once, nested and flat, and not always with the same value. */
  static SortedSet<String> contradictions(JsonNode root) {
    TreeMap<String, String> first = new TreeMap<>();
    TreeSet<String> contradictions = new TreeSet<>();
    flatten(
        "",
        root,
        (key, value) -> {
          String before = first.putIfAbsent(key, value);
          if (before != null && !before.equals(value)) {
            contradictions.add(key);
          }
        });
    return contradictions;
  }

  private static void flatten(String prefix, JsonNode object, BiConsumer<String, String> sink) {
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      String key = prefix + field.getKey();
      JsonNode value = field.getValue();
      if (value.isObject()) {
        flatten(key + ".", value, sink);
      } else if (value.isArray()) {
        sink.accept(key, list(value));
      } else if (!value.isNull()) {
        sink.accept(key, value.asText());
      }
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
