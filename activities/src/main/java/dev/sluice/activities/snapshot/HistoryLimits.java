package dev.sluice.activities.snapshot;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SnapshotType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How many snapshots of a type are kept, and for how long: periodic ones and those of operations.
 * The rules are Apache's.
 *
 * @param count at least 1
 * @param age null for any age
 */
public record HistoryLimits(int count, @Nullable Duration age) {

  /** Older operators list retained checkpoints, too, whose files others may share. */
  private static final Pattern CHECKPOINT = Pattern.compile(".*/chk-\\d+/*");

  private static final String HISTORY = "kubernetes.operator.savepoint.history.max.";
  private static final String COUNT = HISTORY + "count";
  private static final String AGE = HISTORY + "age";

  /** After either key, among the operator's defaults: what no resource may exceed. */
  private static final String CAP = ".threshold";

  private static final String CLEANUP = "kubernetes.operator.savepoint.cleanup.enabled";
  private static final String RETAINED = "execution.checkpointing.num-retained";
  private static final String RETAINED_BEFORE_1_20 = "state.checkpoints.num-retained";
  private static final int SAVEPOINTS = 10;
  private static final int CHECKPOINTS = 1;
  private static final Duration SAVEPOINT_AGE = Duration.ofHours(24);

  public HistoryLimits {
    count = Math.max(1, count);
  }

  /**
   * The limits; empty where clean-up is switched off, or a limit of the resource cannot be read.
   *
   * @param configuration of the resource, over the operator's defaults
   * @param defaults the operator's defaults alone: what may not be exceeded stands there
   */
  public static Optional<HistoryLimits> of(
      SnapshotType type, FlinkConfiguration configuration, FlinkConfiguration defaults) {
    return FlinkConfiguration.readable(
        () ->
            type == SnapshotType.SAVEPOINT
                ? savepoints(configuration, defaults)
                : Optional.of(new HistoryLimits(checkpoints(configuration), null)));
  }

  /**
   * The savepoints of a history in a status that exceed the limits, oldest first. All of them
   * count, as with Apache's operator, and the newest always stays.
   *
   * @param history oldest first
   */
  List<String> excess(List<Savepoint> history, Instant now) {
    List<Savepoint> savepoints =
        history.stream()
            .filter(it -> it.location() != null)
            .filter(it -> !CHECKPOINT.matcher(it.location()).matches())
            .toList();
    int last = savepoints.size() - 1;
    return IntStream.range(0, Math.max(0, last))
        .filter(i -> last - i >= count || isOver(savepoints.get(i), now))
        .mapToObj(i -> String.valueOf(savepoints.get(i).location()))
        .toList();
  }

  private boolean isOver(Savepoint savepoint, Instant now) {
    return age != null && !Instant.ofEpochMilli(savepoint.timeStamp()).plus(age).isAfter(now);
  }

  private static Optional<HistoryLimits> savepoints(
      FlinkConfiguration configuration, FlinkConfiguration defaults) {
    if (!configuration.bool(CLEANUP).orElse(true)) {
      return Optional.empty();
    }
    int count = configuration.integer(COUNT).orElse(SAVEPOINTS);
    Duration age = configuration.duration(AGE).orElse(SAVEPOINT_AGE);
    // a cap that makes no sense caps nothing; a warning of the controller names it
    int most =
        FlinkConfiguration.readable(() -> defaults.integer(COUNT + CAP))
            .filter(it -> it >= 1)
            .orElse(count);
    Duration oldest =
        FlinkConfiguration.readable(() -> defaults.duration(AGE + CAP))
            .filter(it -> !it.isZero() && !it.isNegative())
            .orElse(age);
    return Optional.of(
        new HistoryLimits(Math.min(count, most), age.compareTo(oldest) < 0 ? age : oldest));
  }

  /** As many as Flink keeps. */
  private static int checkpoints(FlinkConfiguration configuration) {
    return configuration
        .integer(RETAINED)
        .or(() -> configuration.integer(RETAINED_BEFORE_1_20))
        .orElse(CHECKPOINTS);
  }
}
