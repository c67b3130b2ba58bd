package dev.sluice.api.application;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The Flink version in the image, as {@code spec.flinkVersion} has it: {@code 1.20}, {@code
 * 1.20.5}, {@code v1_20}.
 *
 * @param major the number before the dot
 * @param minor the number after it
 */
public record ImageVersion(int major, int minor) {
  private static final int HEAP_BEFORE = 11;
  private static final Pattern VERSION = Pattern.compile("v?(\\d{1,4})[._](\\d{1,4})(\\D.*)?");

  /** The one that is spelled so; empty when it cannot be read, or is not given. */
  public static Optional<ImageVersion> of(@Nullable String text) {
    Matcher parts = VERSION.matcher(text == null ? "" : text.trim());
    return parts.matches()
        ? Optional.of(
            new ImageVersion(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2))))
        : Optional.empty();
  }

  /**
   * Whether only the heap of a process is set, and not its whole memory: before Flink 1.11, and, as
   * Lyft's operator has it, where the version cannot be read.
   */
  public static boolean isHeapOnly(@Nullable String text) {
    return of(text).filter(version -> version.isAtLeast(1, HEAP_BEFORE)).isEmpty();
  }

  /** Whether this is that version or a later one. */
  public boolean isAtLeast(int otherMajor, int otherMinor) {
    return major > otherMajor || (major == otherMajor && minor >= otherMinor);
  }
}
