package dev.sluice.bootstrap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/**
 * A configuration file. Its keys are those of the environment without {@code SLUICE_}, in lower
 * case and with dots, nested or flat: {@code http.port} is {@code SLUICE_HTTP_PORT}.
 */
final class SettingsFile {

  private static final String OPTION = "--config";
  private static final String PREFIX = "SLUICE_";

  private SettingsFile() {}

  /** The values of the file that the arguments name; a new map, empty without that argument. */
  static Map<String, String> named(String[] args) {
    if (args.length == 0) {
      return new HashMap<>();
    }
    if (args.length == 1 && args[0].startsWith(OPTION + "=")) {
      return read(Path.of(args[0].substring(OPTION.length() + 1)));
    }
    if (args.length == 2 && args[0].equals(OPTION)) {
      return read(Path.of(args[1]));
    }
    throw new ConfigurationException(
        List.of("arguments " + String.join(" ", args) + ": allowed is only " + OPTION + " FILE"));
  }

  private static Map<String, String> read(Path file) {
    Map<String, String> values = new HashMap<>();
    try (Reader reader = Files.newBufferedReader(file)) {
      if (file.toString().endsWith(".properties")) {
        Properties properties = new Properties();
        properties.load(reader);
        properties
            .stringPropertyNames()
            .forEach(k -> values.put(key(k), properties.getProperty(k)));
      } else {
        flatten("", new YAMLMapper().readTree(reader), values);
      }
    } catch (IOException wrong) {
      throw new ConfigurationException(
          List.of(OPTION + " " + file + ": cannot be read: " + wrong.getMessage()));
    }
    return values;
  }

  private static void flatten(String path, JsonNode node, Map<String, String> into) {
    if (node.isObject()) {
      node.properties()
          .forEach(
              entry ->
                  flatten(
                      path.isEmpty() ? entry.getKey() : path + "." + entry.getKey(),
                      entry.getValue(),
                      into));
    } else if (!path.isEmpty() && node.isValueNode() && !node.isNull()) {
      into.put(key(path), node.asText());
    } else if (node.isArray()) {
      throw new ConfigurationException(
          List.of(path + ": a list is not allowed; write its entries with commas between"));
    }
  }

  private static String key(String dotted) {
    return PREFIX + dotted.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }
}
