package dev.sluice.local.node.pod;

import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.node.process.ProcessState.Ended;
import io.fabric8.kubernetes.api.model.Container;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The termination message of a container. */
final class LastWords {
  /** Kubernetes' limits, in bytes. */
  private static final int OF_FILE = 4096;

  private static final int OF_LOG = 2048;

  private LastWords() {}

  /**
   * What it left in its terminationMessagePath, or else at the end of its log; null for nothing.
   */
  static @Nullable String of(Container container, Attempt attempt, Ended ended) throws IOException {
    Path file = attempt.terminationMessage();
    if (Files.isRegularFile(file) && Files.size(file) > 0) {
      return tail(file, OF_FILE);
    }
    boolean fallBack = "FallbackToLogsOnError".equals(container.getTerminationMessagePolicy());
    return fallBack && !ended.succeeded() && Files.isRegularFile(attempt.log())
        ? tail(attempt.log(), OF_LOG)
        : null;
  }

  private static String tail(Path file, int limit) throws IOException {
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "r")) {
      long from = Math.max(0, access.length() - limit);
      byte[] bytes = new byte[(int) (access.length() - from)];
      access.seek(from);
      access.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }
}
