package dev.sluice.local.cluster;

import org.jspecify.annotations.Nullable;

/** The cluster could not be brought where it should be. The message says why and what to do. */
public final class ClusterException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public ClusterException(String message) {
    this(message, null);
  }

  public ClusterException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
