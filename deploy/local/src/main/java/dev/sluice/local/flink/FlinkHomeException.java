package dev.sluice.local.flink;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A Flink home could not be made. The message says what failed, why, and what to do. */
public final class FlinkHomeException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  /**
   * @param cause null when there is none
   */
  public FlinkHomeException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
