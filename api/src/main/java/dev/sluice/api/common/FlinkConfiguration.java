package dev.sluice.api.common;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Flink configuration as flat keys and text values, sorted by key. Immutable.
 *
 * <p>Typed getters are empty when the key is absent and throw {@link IllegalArgumentException},
 * naming key and value, when the value is not of that type.
 */
public final class FlinkConfiguration {
  /** Whether Flink's REST API takes TLS alone. */
  public static final String REST_TLS = "security.ssl.rest.enabled";

  private static final FlinkConfiguration EMPTY = new FlinkConfiguration(new TreeMap<>());

  private final SortedMap<String, String> entries;

  private FlinkConfiguration(SortedMap<String, String> entries) {
    this.entries = Collections.unmodifiableSortedMap(entries);
  }

  /** No key at all. */
  public static FlinkConfiguration empty() {
    return EMPTY;
  }

  /** Flat keys, or nested objects, or both mixed; null is empty. */
  public static FlinkConfiguration of(@Nullable JsonNode flatOrNested) {
    TreeMap<String, String> flat = new TreeMap<>();
    if (flatOrNested != null) {
      flatten("", flatOrNested, flat::put);
    }
    return new FlinkConfiguration(flat);
  }

  /** Keys that are given nested and flat, with two values. */
  public static Set<String> contradictions(@Nullable JsonNode flatOrNested) {
    Map<String, String> first = new TreeMap<>();
    Set<String> contradictions = new TreeSet<>();
    BiConsumer<String, String> compare =
        (key, value) -> {
          if (!Objects.requireNonNullElse(first.putIfAbsent(key, value), value).equals(value)) {
            contradictions.add(key);
          }
        };
    if (flatOrNested != null) {
      flatten("", flatOrNested, compare);
    }
    return contradictions;
  }

  /** Flat keys. */
  public static FlinkConfiguration of(Map<String, String> flat) {
    return new FlinkConfiguration(new TreeMap<>(flat));
  }

  /** All entries, sorted by key, unmodifiable. */
  public SortedMap<String, String> asMap() {
    return entries;
  }

  /** As a flat JSON object with text values. */
  public ObjectNode toJson() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    entries.forEach(node::put);
    return node;
  }

  /** The text of that key. */
  public Optional<String> get(String key) {
    return Optional.ofNullable(entries.get(key));
  }

  /** The text of that key, or else {@code fallback}. */
  public String getOrDefault(String key, String fallback) {
    return entries.getOrDefault(key, fallback);
  }

  /** Whether the key is there with a value that is not blank. */
  public boolean has(String key) {
    return get(key).filter(value -> !value.isBlank()).isPresent();
  }

  /** A duration in Flink's spelling ({@code 10 min}, {@code 500ms}) or ISO 8601. */
  public Optional<Duration> duration(String key) {
    return typed(key, FlinkDuration::parse);
  }

  /** Bytes, from Flink's spelling of memory ({@code 1024m}, {@code 1 gb}). */
  public Optional<Long> memoryBytes(String key) {
    return typed(key, FlinkMemory::parse);
  }

  /** {@code true} or {@code false}, in any case. */
  public Optional<Boolean> bool(String key) {
    return typed(key, FlinkConfiguration::parseBoolean);
  }

  /** Whether that switch is on; text that is no boolean counts as {@code otherwise}. */
  public boolean isOn(String key, boolean otherwise) {
    return get(key)
        .map(String::trim)
        .map(text -> otherwise ? !text.equalsIgnoreCase("false") : text.equalsIgnoreCase("true"))
        .orElse(otherwise);
  }

  /** A whole number. */
  public Optional<Integer> integer(String key) {
    return typed(key, value -> Integer.valueOf(value.trim()));
  }

  /** A finite decimal number, or else {@code fallback}. */
  public double number(String key, double fallback) {
    return structured(key, FlinkConfiguration::finite).orElse(fallback);
  }

  /** The list in the text of that key; empty when absent. */
  public List<String> list(String key) {
    return structured(key, StructuredOption::list).orElse(List.of());
  }

  /** The list of maps in the text of that key; empty when absent. */
  public List<Map<String, String>> maps(String key) {
    return structured(
            key, text -> StructuredOption.list(text).stream().map(StructuredOption::map).toList())
        .orElse(List.of());
  }

  /**
   * The map in the text of that key; without the key, the entries {@code <key>.<entry>}, as {@code
   * Configuration.getOptional} of Flink reads an option of type map.
   */
  public Map<String, String> map(String key) {
    return structured(key, StructuredOption::map).orElseGet(() -> prefixed(key + "."));
  }

  /** All keys that begin with that prefix, without it. */
  public Map<String, String> prefixed(String prefix) {
    Map<String, String> found = new LinkedHashMap<>();
    entries
        .tailMap(prefix)
        .forEach(
            (key, value) -> {
              if (key.startsWith(prefix)) {
                found.put(key.substring(prefix.length()), value);
              }
            });
    return found;
  }

  /** A copy with that entry added or replaced. */
  public FlinkConfiguration with(String key, String value) {
    return withAll(Map.of(key, value));
  }

  /** A copy with those entries added or replaced. */
  public FlinkConfiguration withAll(Map<String, String> more) {
    TreeMap<String, String> copy = new TreeMap<>(entries);
    copy.putAll(more);
    return new FlinkConfiguration(copy);
  }

  /** A copy without that key. */
  public FlinkConfiguration without(String key) {
    TreeMap<String, String> copy = new TreeMap<>(entries);
    copy.remove(key);
    return new FlinkConfiguration(copy);
  }

  private static Double finite(String text) {
    double number;
    try {
      number = Double.parseDouble(text.trim());
    } catch (NumberFormatException e) {
      number = Double.NaN;
    }
    if (!Double.isFinite(number)) {
      throw new IllegalArgumentException("must be a number, but is '" + text + "'");
    }
    return number;
  }

  private static Boolean parseBoolean(String value) {
    return switch (value.trim().toLowerCase(java.util.Locale.ROOT)) {
      case "true" -> Boolean.TRUE;
      case "false" -> Boolean.FALSE;
      default -> throw new IllegalArgumentException("must be true or false");
    };
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

  /** {@code flinkConfiguration.rest.port: must be ...}: how every message names a key. */
  public static String problem(String key, @Nullable String what) {
    return "flinkConfiguration." + key + ": " + what;
  }

  /**
   * A value of a configuration that may not be valid by the rules of today; one that cannot be read
   * is as if it were absent.
   */
  public static <T> Optional<T> readable(Supplier<Optional<T>> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  private <T> Optional<T> typed(String key, Function<String, T> parser) {
    try {
      return get(key).filter(value -> !value.isBlank()).map(parser);
    } catch (NumberFormatException e) {
      throw problem(key, "must be a whole number", e);
    } catch (IllegalArgumentException e) {
      throw problem(key, e.getMessage(), e);
    }
  }

  private IllegalArgumentException problem(String key, @Nullable String must, Exception cause) {
    return new IllegalArgumentException(
        problem(key, must + ", but is '" + entries.get(key) + "'"), cause);
  }

  private <T> Optional<T> structured(String key, Function<String, T> parser) {
    try {
      return get(key).map(parser);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(problem(key, e.getMessage()), e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FlinkConfiguration that && entries.equals(that.entries);
  }

  @Override
  public int hashCode() {
    return entries.hashCode();
  }

  /** Keys only: values may be secrets. */
  @Override
  public String toString() {
    return "FlinkConfiguration" + entries.keySet();
  }
}
