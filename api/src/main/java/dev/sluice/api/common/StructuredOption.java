package dev.sluice.api.common;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
  private static final String ITEM =
      "\\s*(?:('(?:[^']|'')*'|\"(?:[^\"]|\"\")*\")\\s*|([^'\"D][^D]*|))(?:D|$)";
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
    return node.isValueNode() ? node.asText("") : node.toString();
  }

  /** The delimiter is one of {@code ; , :}. Between two there may be nothing. */
  private static List<String> split(String text, char delimiter) {
    List<String> parts = new ArrayList<>();
    Matcher item = Pattern.compile(ITEM.replace('D', delimiter)).matcher(text);
    int at = 0;
    for (; at < text.length() && item.region(at, text.length()).lookingAt(); at = item.end()) {
      String quoted = item.group(1);
      String plain = Objects.requireNonNullElse(item.group(2), "").trim();
      if (quoted != null) {
        String quote = quoted.substring(0, 1);
        parts.add(quoted.substring(1, quoted.length() - 1).replace(quote + quote, quote));
      } else if (!plain.isEmpty() || (at > 0 && text.charAt(item.end() - 1) == delimiter)) {
        parts.add(plain);
      }
    }
    if (at < text.length()) {
      throw new IllegalArgumentException("has a quote that is not closed, or text beside one");
    }
    return parts;
  }
}
