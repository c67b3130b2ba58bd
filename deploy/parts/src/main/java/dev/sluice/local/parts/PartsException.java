package dev.sluice.local.parts;

import org.jspecify.annotations.Nullable;

/** A binary could not be provided. The message says what failed, why, and what to do. */
public final class PartsException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public PartsException(String message) {
    this(message, null);
  }

  public PartsException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
