package dev.sluice.local.parts;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A binary could not be provided. The message says what failed, why, and what to do. */
public final class PartsException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  PartsException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  static PartsException of(String output) {
    String advice =
        "The disk is full. Free some space, or put the cache elsewhere with SLUICE_CACHE.\n";
    return new PartsException((saysFullDisk(output) ? advice : "") + output, null);
  }

  /** Whether an error or a program's output says that the disk is full. */
  public static boolean saysFullDisk(@Nullable String text) {
    return text != null && text.toLowerCase(Locale.ROOT).contains("no space left on device");
  }
}
