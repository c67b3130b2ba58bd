package dev.sluice.activities.manifest.common;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import java.util.regex.Pattern;

/**
 * The file a Flink process reads its configuration from.
 *
 * <p>Keys stay flat: nested, {@code high-availability: kubernetes} and {@code
 * high-availability.storageDir} could not stand side by side.
 *
 * @param name {@code config.yaml}, before Flink 1.19 {@code flink-conf.yaml}
 * @param text one option a line, sorted
 */
public record ConfigurationFile(String name, String text) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern PLAIN_KEY = Pattern.compile("[a-zA-Z$][\\w$-]*\\.[\\w$.-]*[\\w$-]");

  /**
   * @throws IllegalArgumentException naming the key, when a value cannot be written for that
   *     version
   */
  public static ConfigurationFile of(FlinkConfiguration configuration, FlinkVersion version) {
    boolean yaml = version.isAtLeast(FlinkVersion.V1_19);
    StringBuilder text = new StringBuilder();
    configuration
        .asMap()
        .forEach(
            (key, value) ->
                text.append(yaml ? yamlLine(key, value) : plainLine(key, value)).append('\n'));
    return new ConfigurationFile(yaml ? "config.yaml" : "flink-conf.yaml", text.toString());
  }

  /** A JSON string is a YAML scalar that cannot be taken for a number, a list or a comment. */
  private static String yamlLine(String key, String value) {
    return (PLAIN_KEY.matcher(key).matches() ? key : quoted(key)) + ": " + quoted(value);
  }

  /**
   * Only looks like YAML: {@code GlobalConfiguration.loadYAMLResource} up to 1.18 takes a line,
   * cuts it at {@code #} and splits it at the first {@code ": "}; nothing can be quoted.
   */
  private static String plainLine(String key, String value) {
    if (value.contains("#") || value.contains("\n") || value.contains("\r")) {
      throw new IllegalArgumentException(
          FlinkConfiguration.problem(
              key,
              "'#' and line breaks cannot be written in flink-conf.yaml, the configuration file of"
                  + " Flink before 1.19"));
    }
    return key + ": " + value;
  }

  private static String quoted(String text) {
    try {
      return JSON.writeValueAsString(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A text is always JSON", e);
    }
  }
}
