package dev.sluice.activities.job;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares paths of savepoints and checkpoints, which Flink spells in several ways: {@code file:/x}
 * and {@code file:///x}, with and without a slash at the end, the directory or its {@code
 * _metadata}.
 */
final class RestoredPath {

  private static final Pattern URI = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*):/*(.*)");
  private static final String METADATA = "/_metadata";

  private RestoredPath() {}

  /** Whether both name the same savepoint or checkpoint. */
  static boolean same(String one, String other) {
    return normal(one).equals(normal(other));
  }

  /**
   * Whether it is a checkpoint that this job itself has taken: {@code .../<job id>/chk-7}. A job
   * that failed over says it was restored from one.
   */
  static boolean isOwnCheckpoint(String path, String jobId) {
    return normal(path).contains("/" + jobId + "/chk-");
  }

  private static String normal(String path) {
    String trimmed = strip(path.trim());
    if (trimmed.endsWith(METADATA)) {
      trimmed = strip(trimmed.substring(0, trimmed.length() - METADATA.length()));
    }
    Matcher uri = URI.matcher(trimmed);
    // a path without a scheme is a local one to Flink
    return uri.matches()
        ? uri.group(1) + ":/" + uri.group(2).replaceAll("/+", "/")
        : "file:" + trimmed.replaceAll("/+", "/");
  }

  private static String strip(String path) {
    int end = path.length();
    while (end > 1 && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(0, end);
  }
}
