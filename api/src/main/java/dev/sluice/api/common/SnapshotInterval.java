package dev.sluice.api.common;

import java.time.Duration;
import java.util.Optional;

/** When periodic savepoints or checkpoints are taken. */
public sealed interface SnapshotInterval {

  /** Before the one, after the other. */
  String PREFIX = "kubernetes.operator.periodic.";

  /** As the configuration says it. */
  String text();

  /** One each while. */
  record Every(String text, Duration interval) implements SnapshotInterval {}

  /**
   * At those times, UTC.
   *
   * @param cron as Temporal reads it, with seconds and years
   */
  record At(String text, String cron) implements SnapshotInterval {}

  /** The key that asks for periodic ones of that type. */
  static String key(SnapshotType type) {
    return PREFIX + type.word() + ".interval";
  }

  /**
   * What a configuration asks for; empty for none, which {@code 0} means, too.
   *
   * @throws IllegalArgumentException when it cannot be understood, or cannot be done
   */
  static Optional<SnapshotInterval> of(FlinkConfiguration configuration, SnapshotType type) {
    return configuration
        .get(key(type))
        .filter(text -> !text.isBlank())
        .flatMap(text -> readable(text.trim()));
  }

  private static Optional<SnapshotInterval> readable(String text) {
    try {
      return parse(text);
    } catch (IllegalArgumentException unreadable) {
      throw new IllegalArgumentException(
          unreadable.getMessage() + ", but is '" + text + "'", unreadable);
    }
  }

  private static Optional<SnapshotInterval> parse(String text) {
    // neither can be read as the other one: a time has at most two words
    if (text.split("\\s+").length >= QuartzCron.FIELDS) {
      return Optional.of(new At(text, QuartzCron.toTemporal(text)));
    }
    Duration interval;
    try {
      interval = FlinkDuration.parse(text);
    } catch (IllegalArgumentException unreadable) {
      throw new IllegalArgumentException(
          "must be a time, like 6 h, or a cron expression of 6 or 7 fields, the first of which are"
              + " seconds, like 0 0 3 * * ?",
          unreadable);
    }
    if (interval.isZero()) {
      return Optional.empty();
    }
    if (interval.toSeconds() < 1 || interval.compareTo(Duration.ofDays(365)) > 0) {
      throw new IllegalArgumentException("must be 0, or from 1 s to 365 days");
    }
    return Optional.of(new Every(text, interval));
  }
}
