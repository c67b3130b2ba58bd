package dev.sluice.local.parts;

import org.jspecify.annotations.Nullable;

/** A binary could not be provided. The message is for people: what failed, why, what to do. */
public final class PartsException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public PartsException(String message) {
    this(message, null);
  }

  public PartsException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
