package dev.sluice.local.cluster;

import dev.sluice.local.parts.PartsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Why a cluster's home cannot be used. */
final class Unusable {

  private Unusable() {}

  static ClusterException home(Path home, IOException problem) {
    String said = String.valueOf(problem.getMessage());
    if (PartsException.saysFullDisk(said)) {
      return new ClusterException(
          "The disk of %s is full. Free some space, or put the cluster elsewhere with %s."
              .formatted(home, ClusterConfig.HOME),
          problem);
    }
    return new ClusterException(
        "%s cannot be used: %s. Put the cluster elsewhere with %s."
            .formatted(home, why(problem, said), ClusterConfig.HOME),
        problem);
  }

  /** The same for a full disk; whatever else it is, it says so itself. */
  static RuntimeException home(Path home, UncheckedIOException problem) {
    IOException cause = problem.getCause();
    return cause != null && PartsException.saysFullDisk(String.valueOf(cause.getMessage()))
        ? home(home, cause)
        : problem;
  }

  /** The messages of these two are the file and nothing else. */
  private static String why(IOException problem, String said) {
    if (problem instanceof AccessDeniedException) {
      return "you may not write " + said;
    }
    return problem instanceof NoSuchFileException ? said + " cannot be made" : said;
  }
}
