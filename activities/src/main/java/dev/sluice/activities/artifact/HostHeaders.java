package dev.sluice.activities.artifact;

import dev.sluice.api.common.FlinkConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * Headers for requests that fetch artifacts. Their values are secrets: no message quotes one.
 *
 * @param byHost for each host in lower case, with {@code http://} before it if they may go there
 *     without TLS
 */
record HostHeaders(Map<String, Headers> byHost) {

  /** The key of Apache's operator for headers, in a resource's {@code flinkConfiguration}. */
  static final String CONFIGURATION_KEY = "kubernetes.operator.user.artifacts.http.header";

  /**
   * Reads a file with a header in each line, {@code repo.example.com Authorization: Bearer abc};
   * empty lines and those that begin with # are skipped. It is read for every fetch, so that a
   * Secret that is mounted may change.
   *
   * @param file null for no headers
   */
  static HostHeaders of(@Nullable Path file) {
    if (file == null) {
      return new HostHeaders(Map.of());
    }
    Map<String, Headers.Builder> hosts = new LinkedHashMap<>();
    int number = 0;
    try {
      for (String line : Files.readAllLines(file)) {
        number++;
        if (line.isBlank() || line.startsWith("#")) {
          continue;
        }
        String[] parts = line.strip().split("\\s+", 2);
        Headers.Builder headers =
            hosts.computeIfAbsent(parts[0].toLowerCase(Locale.ROOT), it -> new Headers.Builder());
        add(headers, parts.length < 2 ? "" : parts[1], "line " + number + " of " + file);
      }
    } catch (IOException e) {
      throw ArtifactException.passing(
          "the worker cannot read the file with headers for artifacts, " + file);
    }
    Map<String, Headers> byHost = new LinkedHashMap<>();
    hosts.forEach((host, headers) -> byHost.put(host, headers.build()));
    return new HostHeaders(byHost);
  }

  /** Those for the host of a URL; without TLS only those that are meant for that. */
  Headers of(HttpUrl url) {
    String host = url.isHttps() ? url.host() : "http://" + url.host();
    return byHost.getOrDefault(host, new Headers.Builder().build());
  }

  /**
   * Reads headers as Apache's operator does, as an option of Flink of type map: {@code
   * Name1:value1,Name2:value2}, in quotes what has a comma or a colon.
   *
   * @param configuration of the resource
   */
  static Headers in(Map<String, String> configuration) {
    Headers.Builder headers = new Headers.Builder();
    try {
      FlinkConfiguration.of(configuration).map(CONFIGURATION_KEY).forEach(headers::add);
    } catch (IllegalArgumentException e) {
      throw ArtifactException.lasting(
          CONFIGURATION_KEY
              + " is not of the form Name1:value1,Name2:value2, in quotes what has a comma or a"
              + " colon");
    }
    return headers.build();
  }

  private static void add(Headers.Builder headers, String header, String where) {
    int colon = header.indexOf(':');
    try {
      if (colon < 1) {
        throw new IllegalArgumentException("no name");
      }
      headers.add(unquoted(header.substring(0, colon)), unquoted(header.substring(colon + 1)));
    } catch (IllegalArgumentException e) {
      throw ArtifactException.lasting(where + " is no header of the form Name: value");
    }
  }

  private static String unquoted(String text) {
    String value = text.strip();
    boolean quoted =
        value.length() > 1
            && (value.startsWith("'") && value.endsWith("'")
                || value.startsWith("\"") && value.endsWith("\""));
    return quoted ? value.substring(1, value.length() - 1) : value;
  }
}
