package dev.sluice.local.node.logs;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request for a container's log, as the API server makes it of {@code kubectl logs}.
 *
 * @param follow go on as the log grows
 * @param previous the log of the attempt before the newest
 * @param tailLines how many lines from the end; -1 for all
 * @param limitBytes how many bytes at most; -1 for all
 * @param since nothing when the log has not grown since then; null for no such limit
 */
public record LogRequest(
    String namespace,
    String pod,
    String container,
    boolean follow,
    boolean previous,
    long tailLines,
    long limitBytes,
    @Nullable Instant since) {

  /**
   * @param uri {@code /containerLogs/NAMESPACE/POD/CONTAINER?...}
   * @throws IllegalArgumentException with a message for the one who asked
   */
  public static LogRequest of(URI uri, Instant now) {
    String[] path = uri.getPath().split("/");
    if (path.length != 5) {
      throw new IllegalArgumentException(
          "Expected /containerLogs/NAMESPACE/POD/CONTAINER, got " + uri.getPath());
    }
    Map<String, String> query = query(uri.getRawQuery());
    if (flag(query, "timestamps")) {
      throw new IllegalArgumentException(
          "The local node keeps logs as the process writes them, without a time for each line:"
              + " leave --timestamps out.");
    }
    return new LogRequest(
        path[2],
        path[3],
        path[4],
        flag(query, "follow"),
        flag(query, "previous"),
        number(query, "tailLines"),
        number(query, "limitBytes"),
        since(query, now));
  }

  private static @Nullable Instant since(Map<String, String> query, Instant now) {
    if (query.containsKey("sinceSeconds")) {
      return now.minus(Duration.ofSeconds(number(query, "sinceSeconds")));
    }
    String time = query.get("sinceTime");
    try {
      return time == null ? null : Instant.parse(time);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("sinceTime=" + time + " is not a time", e);
    }
  }

  private static boolean flag(Map<String, String> query, String name) {
    return Boolean.parseBoolean(query.get(name));
  }

  private static long number(Map<String, String> query, String name) {
    String value = query.get(name);
    try {
      return value == null ? -1 : Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + "=" + value + " is not a number", e);
    }
  }

  private static Map<String, String> query(@Nullable String raw) {
    Map<String, String> query = new HashMap<>();
    if (raw != null) {
      for (String pair : raw.split("&")) {
        int equals = pair.indexOf('=');
        if (equals > 0) {
          query.put(
              pair.substring(0, equals),
              URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
      }
    }
    return query;
  }
}
