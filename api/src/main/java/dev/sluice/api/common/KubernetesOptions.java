package dev.sluice.api.common;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Flink options with structure in their text, such as {@code kubernetes.jobmanager.labels}.
 *
 * <p>Errors name the option.
 */
public record KubernetesOptions(FlinkConfiguration configuration) {

  /** The list of that key; empty when absent. */
  public List<String> list(String key) {
    return parsed(key, StructuredOption::list, List.of());
  }

  /** The maps of that key, a list of maps; empty when absent. */
  public List<Map<String, String>> maps(String key) {
    return parsed(
        key,
        text -> StructuredOption.list(text).stream().map(StructuredOption::map).toList(),
        List.of());
  }

  /**
   * The map of that key; without the key, the entries {@code <key>.<entry>}, as {@code
   * Configuration.getOptional} of Flink reads an option of type map.
   */
  public Map<String, String> map(String key) {
    return configuration.get(key).isPresent()
        ? parsed(key, StructuredOption::map, Map.of())
        : prefixed(key + ".");
  }

  /** All keys that begin with that prefix, without it. */
  public Map<String, String> prefixed(String prefix) {
    Map<String, String> entries = new LinkedHashMap<>();
    configuration
        .asMap()
        .forEach(
            (key, value) -> {
              if (key.startsWith(prefix)) {
                entries.put(key.substring(prefix.length()), value);
              }
            });
    return entries;
  }

  /**
   * A finite decimal number.
   *
   * @throws IllegalArgumentException naming the key, when it is none
   */
  public double number(String key, double fallback) {
    return parsed(key, KubernetesOptions::finite, fallback);
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

  private <T> T parsed(String key, Function<String, T> parser, T absent) {
    try {
      return configuration.get(key).map(parser).orElse(absent);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(FlinkConfiguration.problem(key, e.getMessage()), e);
    }
  }
}
