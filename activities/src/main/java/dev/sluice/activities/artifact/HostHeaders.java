package dev.sluice.activities.artifact;

import dev.sluice.api.common.FlinkConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * Reads the headers of requests that fetch artifacts. Their values are secrets: no message quotes
 * one.
 */
final class HostHeaders {

  /** The key of Apache's operator for headers, in a resource's {@code flinkConfiguration}. */
  static final String CONFIGURATION_KEY = "kubernetes.operator.user.artifacts.http.header";

  private HostHeaders() {}

  /**
   * Reads the headers for a host from a file with one in each line: {@code repo.example.com
   * Authorization: Bearer abc}, with {@code http://} before the host if it may go there without
   * TLS. It is read for every request, so that a Secret that is mounted may change.
   *
   * @param file null for no headers
   */
  static Headers of(@Nullable Path file, HttpUrl url) {
    Headers.Builder headers = new Headers.Builder();
    if (file == null) {
      return headers.build();
    }
    String host = (url.isHttps() ? "" : "http://") + url.host();
    try (Stream<String> lines = Files.lines(file)) {
      lines
          .map(line -> line.strip().split("\\s+", 2))
          .filter(parts -> parts[0].equalsIgnoreCase(host))
          .forEach(parts -> headers.add(parts.length < 2 ? "" : parts[1]));
    } catch (IOException | UncheckedIOException e) {
      throw ArtifactException.passing(
          "the worker cannot read the file with headers for artifacts, " + file);
    } catch (IllegalArgumentException e) {
      throw ArtifactException.lasting(
          "a line for %s in %s is not of the form host Name: value".formatted(host, file));
    }
    return headers.build();
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
}
