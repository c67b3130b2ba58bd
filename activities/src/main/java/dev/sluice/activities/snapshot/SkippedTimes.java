package dev.sluice.activities.snapshot;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How often in a row a periodic snapshot was skipped. The result of each run says so, and Temporal
 * gives it to the next run of the schedule: no other count is kept. Pure.
 *
 * @param count at least 1
 */
record SkippedTimes(int count) {

  /** Once is no news: an upgrade takes that long. */
  private static final int FIRST_TOLD = 3;

  private static final Pattern SKIPPED =
      Pattern.compile("skipped(?: (\\d{1,9}) times in a row)?: .*");

  /**
   * One more time.
   *
   * @param before result of the run before; null when there was none
   */
  static SkippedTimes after(@Nullable String before) {
    Matcher skipped = SKIPPED.matcher(before == null ? "" : before);
    if (!skipped.matches()) {
      return new SkippedTimes(1);
    }
    String times = skipped.group(1);
    return new SkippedTimes(times == null ? 2 : Integer.parseInt(times) + 1);
  }

  /** What the run returns. */
  String result(String why) {
    return count == 1 ? "skipped: " + why : "skipped %d times in a row: %s".formatted(count, why);
  }

  /** Whether it is told in an event: the 3rd time, the 6th, the 12th and so on. */
  boolean isTold() {
    return count % FIRST_TOLD == 0 && Integer.bitCount(count / FIRST_TOLD) == 1;
  }
}
