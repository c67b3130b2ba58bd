package dev.sluice.activities.manifest.common;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.api.common.FlinkVersion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Lists and maps inside the text of one Flink option.
 *
 * <p>Flink reads such a text as YAML first (since 1.19, {@code ConfigurationUtils.convertToList}
 * and {@code convertToMap}) and otherwise splits it by {@code StructuredOptionsSplitter}: items
 * between {@code ;}, pairs between {@code ,}, key and value between {@code :}, quotes doubled
 * inside quotes.
 */
public final class StructuredOption {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectMapper YAML = new YAMLMapper();

  private StructuredOption() {}

  /** The text that Flink of that version reads as exactly these items, whatever is in them. */
  public static String ofList(List<String> items, FlinkVersion version) {
    if (!version.isAtLeast(FlinkVersion.V1_19)) {
      return items.stream()
          .map(item -> "'" + item.replace("'", "''") + "'")
          .collect(Collectors.joining(";"));
    }
    try {
      return JSON.writeValueAsString(items);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A list of texts is always JSON", e);
    }
  }

  /** The items of a list. */
  public static List<String> list(String text) {
    JsonNode yaml = yaml(text);
    return yaml.isArray()
        ? StreamSupport.stream(yaml.spliterator(), false).map(StructuredOption::text).toList()
        : split(text, ';');
  }

  /**
   * The entries of a map, in the order they are written.
   *
   * @throws IllegalArgumentException when an entry is not {@code key:value}
   */
  public static Map<String, String> map(String text) {
    Map<String, String> entries = new LinkedHashMap<>();
    JsonNode yaml = yaml(text);
    if (yaml.isObject()) {
      yaml.properties().forEach(entry -> entries.put(entry.getKey(), text(entry.getValue())));
      return entries;
    }
    for (String pair : split(text, ',')) {
      List<String> keyAndValue = split(pair, ':');
      if (keyAndValue.size() != 2) {
        throw new IllegalArgumentException("must be key:value pairs, but '" + pair + "' is none");
      }
      entries.put(keyAndValue.get(0), keyAndValue.get(1));
    }
    return entries;
  }

  private static JsonNode yaml(String text) {
    try {
      return YAML.readTree(text);
    } catch (JsonProcessingException notYaml) {
      return YAML.missingNode();
    }
  }

  private static String text(JsonNode node) {
    return node.isValueNode() ? node.asText() : node.toString();
  }

  private static List<String> split(String text, char delimiter) {
    List<String> parts = new ArrayList<>();
    int at = 0;
    boolean afterDelimiter = false;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == delimiter) {
        if (afterDelimiter) {
          parts.add("");
        }
        afterDelimiter = true;
        at++;
      } else if (Character.isWhitespace(c)) {
        at++;
      } else {
        int end = c == '\'' || c == '"' ? endOfQuoted(text, at) : endOfPlain(text, at, delimiter);
        parts.add(item(text.substring(at, end)));
        afterDelimiter = false;
        at = end;
      }
    }
    return parts;
  }

  private static int endOfPlain(String text, int from, char delimiter) {
    int end = text.indexOf(delimiter, from);
    return end < 0 ? text.length() : end;
  }

  private static int endOfQuoted(String text, int from) {
    char quote = text.charAt(from);
    int at = from + 1;
    while (true) {
      int close = text.indexOf(quote, at);
      if (close < 0) {
        throw new IllegalArgumentException("has a quote that is not closed");
      }
      if (close + 1 < text.length() && text.charAt(close + 1) == quote) {
        at = close + 2;
      } else {
        return close + 1;
      }
    }
  }

  private static String item(String raw) {
    char first = raw.charAt(0);
    if (first != '\'' && first != '"') {
      return raw.trim();
    }
    String quote = String.valueOf(first);
    return raw.substring(1, raw.length() - 1).replace(quote + quote, quote);
  }
}
