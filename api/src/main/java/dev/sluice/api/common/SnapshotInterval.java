package dev.sluice.api.common;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** When periodic savepoints or checkpoints are taken. */
public sealed interface SnapshotInterval {

  Pattern RANGE = Pattern.compile("(\\d+|[A-Z]{3})-(\\d+|[A-Z]{3})");

  List<String> MONTHS =
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");

  /** Before the one, after the other. */
  String PREFIX = "kubernetes.operator.periodic.";

  /**
   * When the next one is due.
   *
   * @param last when the one before was requested
   * @return empty where a cron expression has no later time
   */
  Optional<Instant> after(Instant last);

  /** One after each interval. */
  record Every(Duration interval) implements SnapshotInterval {
    @Override
    public Optional<Instant> after(Instant last) {
      return Optional.of(last.plus(interval));
    }
  }

  /** At the times of a cron expression of Quartz, UTC. */
  record At(Cron cron) implements SnapshotInterval {
    @Override
    public Optional<Instant> after(Instant last) {
      return ExecutionTime.forCron(cron)
          .nextExecution(last.atZone(ZoneOffset.UTC))
          .map(ZonedDateTime::toInstant);
    }
  }

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
      // neither can be read as the other one: a time has at most two words
      return text.split("\\s+").length > 2 ? Optional.of(cron(text)) : time(text);
    } catch (IllegalArgumentException unreadable) {
      throw new IllegalArgumentException(
          "must be a time, like 6 h, or a cron expression of Quartz, like 0 0 3 * * ?, but is '%s' (%s)"
              .formatted(text, unreadable.getMessage()),
          unreadable);
    }
  }

  private static At cron(String text) {
    return new At(
        new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.QUARTZ)).parse(text));
  }

  /**
   * The same of a spec that is not deployed yet: what would not be done as it is written is
   * refused. The library takes a range that ends before it begins for its first value alone.
   *
   * @throws IllegalArgumentException also when it cannot be understood
   */
  static Optional<SnapshotInterval> checked(FlinkConfiguration configuration, SnapshotType type) {
    Optional<SnapshotInterval> interval = of(configuration, type);
    if (interval.orElse(null) instanceof At) {
      String text = configuration.get(key(type)).orElseThrow().toUpperCase(Locale.ROOT);
      for (String field : List.of(text.trim().split("\\s+")).subList(0, 5)) {
        checkRanges(field);
      }
    }
    return interval;
  }

  private static void checkRanges(String field) {
    Matcher range = RANGE.matcher(field);
    while (range.find()) {
      if (number(range.group(1)) > number(range.group(2))) {
        throw new IllegalArgumentException(
            "the range " + range.group() + " ends before it begins: write it as two");
      }
    }
  }

  private static int number(String value) {
    int month = MONTHS.indexOf(value);
    return month < 0 ? Integer.parseInt(value) : month + 1;
  }

  private static Optional<SnapshotInterval> time(String text) {
    Duration interval = FlinkDuration.parse(text);
    if (interval.isZero()) {
      return Optional.empty();
    }
    if (interval.toSeconds() < 1 || interval.compareTo(Duration.ofDays(365)) > 0) {
      throw new IllegalArgumentException("not 0, nor from 1 s to 365 days");
    }
    return Optional.of(new Every(interval));
  }
}
