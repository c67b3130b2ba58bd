package dev.sluice.local.cluster;

import dev.sluice.local.parts.PartsException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A cluster command failed. The message says why and what to do. */
public final class ClusterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ClusterException(String message) {
    this(message, null);
  }

  public ClusterException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  static ClusterException unusable(Path home, IOException problem) {
    String said = String.valueOf(problem.getMessage());
    if (PartsException.saysFullDisk(said)) {
      said = "The disk of " + home + " is full. Free some space, or put";
    } else {
      // the messages of these two are the file and nothing else
      String why =
          problem instanceof AccessDeniedException
              ? "you may not write " + said
              : problem instanceof NoSuchFileException ? said + " cannot be made" : said;
      said = home + " cannot be used: " + why + ". Put";
    }
    return new ClusterException(
        said + " the cluster elsewhere with " + ClusterConfig.HOME + ".", problem);
  }
}
