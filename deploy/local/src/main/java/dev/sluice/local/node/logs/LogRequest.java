package dev.sluice.local.node.logs;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request for a container's log, as the API server makes it of {@code kubectl logs}.
 *
 * @param follow go on as the log grows
 * @param previous the log of the attempt before the newest
 * @param tailLines how many lines from the end; -1 for all
 */
record LogRequest(
    String namespace,
    String pod,
    String container,
    boolean follow,
    boolean previous,
    long tailLines) {
  private static final Set<String> KNOWN =
      Set.of("follow", "previous", "tailLines", "insecureSkipTLSVerifyBackend", "stream");

  /**
   * @param uri {@code /containerLogs/NAMESPACE/POD/CONTAINER?...}
   * @throws IllegalArgumentException with a message for the one who asked
   */
  static LogRequest of(URI uri) {
    String[] path = uri.getPath().split("/");
    if (path.length != 5) {
      throw new IllegalArgumentException(
          "Expected /containerLogs/NAMESPACE/POD/CONTAINER, got " + uri.getPath());
    }
    Map<String, String> query = query(uri.getQuery());
    query.forEach(
        (name, value) -> {
          if (!KNOWN.contains(name) && !value.equals("false")) {
            throw new IllegalArgumentException(
                "The local node knows --follow, --previous and --tail of kubectl logs, not "
                    + name);
          }
        });
    return new LogRequest(
        path[2],
        path[3],
        path[4],
        Boolean.parseBoolean(query.get("follow")),
        Boolean.parseBoolean(query.get("previous")),
        lines(query.getOrDefault("tailLines", "-1")));
  }

  private static long lines(String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("tailLines=" + value + " is not a number", e);
    }
  }

  private static Map<String, String> query(@Nullable String query) {
    Map<String, String> options = new HashMap<>();
    for (String pair : (query == null ? "" : query).split("&")) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        options.put(pair.substring(0, equals), pair.substring(equals + 1));
      }
    }
    return options;
  }
}
