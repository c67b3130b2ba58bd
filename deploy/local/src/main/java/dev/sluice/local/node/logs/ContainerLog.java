package dev.sluice.local.node.logs;

import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.node.process.ProcessState.Ended;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.file.Files;
import java.time.Clock;
import java.util.HashMap;
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

  private static final int LOOK_MILLIS = 100;
  private static final int BLOCK = 8192;

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

  /** Returns at the end of the log; when it is followed, at the end of the attempt. */
  void write(Attempt attempt, Clock clock, OutputStream out)
      throws IOException, InterruptedException {
    while (!Files.exists(attempt.log())) {
      if (!goesOn(attempt, clock)) {
        return;
      }
      Thread.sleep(LOOK_MILLIS);
    }
    try (RandomAccessFile file = new RandomAccessFile(attempt.log().toFile(), "r")) {
      file.seek(start(file, tailLines));
      byte[] block = new byte[BLOCK];
      boolean more;
      do {
        more = goesOn(attempt, clock); // asked first: what was written before the end is still read
        for (int read = file.read(block); read > 0; read = file.read(block)) {
          out.write(block, 0, read);
        }
        out.flush();
        if (more) {
          Thread.sleep(LOOK_MILLIS);
        }
      } while (more);
    }
  }

  /** Whether more may come and is waited for. */
  private boolean goesOn(Attempt attempt, Clock clock) {
    return follow && !(attempt.look(clock.instant()) instanceof Ended);
  }

  /**
   * Where the last lines begin, found without reading all of the file.
   *
   * @param lines how many; negative for all
   */
  static long start(RandomAccessFile file, long lines) throws IOException {
    long length = file.length();
    if (lines <= 0) {
      return lines == 0 ? length : 0;
    }
    long left = lines;
    byte[] block = new byte[BLOCK];
    for (long end = length; end > 0; end -= BLOCK) {
      int size = (int) Math.min(BLOCK, end);
      file.seek(end - size);
      file.readFully(block, 0, size);
      for (int i = size - 1; i >= 0; i--) {
        // the line break at the very end ends the last line, it begins none
        boolean breaks = block[i] == '\n' && end - size + i != length - 1;
        if (breaks && --left == 0) {
          return end - size + i + 1;
        }
      }
    }
    return 0;
  }
}
