package dev.sluice.controller.deployment;

import dev.sluice.api.common.Savepoint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which of the savepoints that were taken without a FlinkStateSnapshot goes next. As with Apache's
 * operator all of them count, also those of a nonce. Never the newest, and never one that something
 * may still be started from (FLINK-38033). Pure.
 *
 * @param excess the oldest that is too much; null when none is
 * @param next when another one becomes too old; null when none does
 */
record StatusHistory(@Nullable Savepoint excess, @Nullable Instant next) {

  /**
   * What is too much now.
   *
   * @param oldestFirst the history
   * @param isNeeded whether something refers to it; asked only of what would go
   */
  static StatusHistory of(
      List<Savepoint> oldestFirst,
      HistoryLimits limits,
      Predicate<Savepoint> isNeeded,
      Instant now) {
    Duration age = limits.age();
    Instant next = null;
    int size = oldestFirst.size();
    for (int i = 0; i < size - 1; i++) {
      Savepoint savepoint = oldestFirst.get(i);
      Instant end = age == null ? null : Instant.ofEpochMilli(savepoint.timeStamp()).plus(age);
      boolean tooOld = end != null && !end.isAfter(now);
      if ((size - i > limits.count() || tooOld) && !isNeeded.test(savepoint)) {
        return new StatusHistory(savepoint, null);
      }
      if (end != null && end.isAfter(now) && (next == null || end.isBefore(next))) {
        next = end;
      }
    }
    return new StatusHistory(null, next);
  }
}
