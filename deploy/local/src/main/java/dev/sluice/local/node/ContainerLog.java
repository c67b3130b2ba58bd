package dev.sluice.local.node;

import dev.sluice.local.node.process.Attempt;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A container's log, as the API server asks for it when {@code kubectl logs} does.
 *
 * @param follow go on as the log grows
 * @param previous the log of the attempt before the newest
 * @param tailLines how many lines from the end; -1 for all
 */
record ContainerLog(
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
  static ContainerLog of(URI uri) {
    String[] path = uri.getPath().split("/");
    if (path.length != 5) {
      throw new IllegalArgumentException(
          "Expected /containerLogs/NAMESPACE/POD/CONTAINER, got " + uri.getPath());
    }
    Map<String, String> options = new HashMap<>();
    for (String pair : uri.getQuery() == null ? new String[0] : uri.getQuery().split("&")) {
      String[] option = pair.split("=", 2);
      if (!KNOWN.contains(option[0]) && !pair.endsWith("=false")) {
        throw new IllegalArgumentException(
            "The local node knows --follow, --previous and --tail of kubectl logs, not "
                + option[0]);
      }
      options.put(option[0], option[option.length - 1]);
    }
    String lines = options.getOrDefault("tailLines", "-1");
    if (!lines.matches("-1|\\d{1,9}")) {
      throw new IllegalArgumentException("tailLines=" + lines + " is not a number");
    }
    return new ContainerLog(
        path[2],
        path[3],
        path[4],
        Boolean.parseBoolean(options.get("follow")),
        Boolean.parseBoolean(options.get("previous")),
        Long.parseLong(lines));
  }

  /** The program that prints it; when it is followed, until the end of the attempt. */
  List<String> command(Attempt attempt) {
    String from = tailLines < 0 ? "+1" : Long.toString(tailLines);
    List<String> command = new ArrayList<>(List.of("tail", "-n", from));
    attempt
        .process()
        .filter(process -> follow && process.isAlive())
        .ifPresent(process -> command.addAll(List.of("-f", "-s", "0.1", "--pid=" + process.pid())));
    command.add(attempt.log().toString());
    return command;
  }
}
