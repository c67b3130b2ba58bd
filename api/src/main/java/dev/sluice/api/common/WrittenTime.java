package dev.sluice.api.common;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Times as text, RFC 3339, in statuses and annotations. Anybody can edit them there: what cannot be
 * read is as if it were absent, so that no reconciliation and no run fails of it again and again.
 */
public final class WrittenTime {

  private WrittenTime() {}

  /** Empty for null, and for text that is no time with a year of four digits. */
  public static Optional<Instant> read(@Nullable String text) {
    // a sign stands before longer years only, with which no computation is safe
    if (text == null || text.startsWith("+") || text.startsWith("-")) {
      return Optional.empty();
    }
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeException edited) {
      return Optional.empty();
    }
  }

  /** The same in ms since the epoch; null where {@link #read} is empty. */
  public static @Nullable Long millis(@Nullable String text) {
    return read(text).map(Instant::toEpochMilli).orElse(null);
  }
}
