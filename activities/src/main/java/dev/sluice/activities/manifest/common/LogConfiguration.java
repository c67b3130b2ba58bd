package dev.sluice.activities.manifest.common;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The log configuration files beside Flink's configuration. The ConfigMap hides the directory of
 * the image that holds its own ones, so without any there would be no log.
 */
public final class LogConfiguration {
  /** What Flink's scripts look for ({@code Constants.CONFIG_FILE_NAME_LIST} of its client). */
  private static final List<String> NAMES =
      List.of("logback-console.xml", "log4j-console.properties");

  private static final String TO_CONSOLE =
      """
      rootLogger.level = INFO
      rootLogger.appenderRef.console.ref = Console
      appender.console.name = Console
      appender.console.type = CONSOLE
      appender.console.layout.type = PatternLayout
      appender.console.layout.pattern = %d{ISO8601} %-5p [%t] %c - %m%n
      """;

  private LogConfiguration() {}

  /** The user's files; when there is none, one for Log4j that writes to the console. */
  public static SortedMap<String, String> files(Map<String, String> logConfiguration) {
    SortedMap<String, String> files = new TreeMap<>(logConfiguration);
    files.keySet().retainAll(NAMES);
    if (files.isEmpty()) {
      files.put("log4j-console.properties", TO_CONSOLE);
    }
    return files;
  }
}
