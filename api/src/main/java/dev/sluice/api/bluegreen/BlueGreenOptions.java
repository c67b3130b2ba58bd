package dev.sluice.api.bluegreen;

import dev.sluice.api.common.FlinkDuration;
import dev.sluice.api.common.StableAfter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What {@code spec.configuration} says of transitions.
 *
 * @param grace how long the new child may take until it is ready and through its gates
 * @param deletionDelay how long the old child stays after the switch
 * @param onAbort what becomes of the new child when the transition is given up
 * @param gates what the new job has to pass before it becomes live
 * @param cutOver whether the old job runs until the new one is live
 */
public record BlueGreenOptions(
    Duration grace, Duration deletionDelay, AbortAction onAbort, Gates gates, CutOver cutOver) {

  /** Key of {@link #grace}, as of Apache's operator. */
  public static final String GRACE = "kubernetes.operator.bluegreen.abort.grace-period";

  /** Key of {@link #deletionDelay}, as of Apache's operator. */
  public static final String DELETION_DELAY =
      "kubernetes.operator.bluegreen.deployment-deletion.delay";

  /** Key of {@link #onAbort}. */
  public static final String ON_ABORT = "sluice.bluegreen.abort.child";

  /** Key of {@link #cutOver}. */
  public static final String CUT_OVER = "sluice.bluegreen.cut-over";

  /** Key of {@link Gates#checkpoints}. */
  public static final String CHECKPOINTS = "sluice.bluegreen.gate.checkpoints";

  /** Key of {@link Gates#noRestartFor}. */
  public static final String NO_RESTART = "sluice.bluegreen.gate.no-restart-for";

  /** Key of {@link Gates#metric}. */
  public static final String METRIC = "sluice.bluegreen.gate.metric";

  /** Key of {@link Gates#metricMax}. */
  public static final String METRIC_MAX = "sluice.bluegreen.gate.metric.max";

  /** What holds where the spec does not say. */
  public static final BlueGreenOptions DEFAULTS =
      new BlueGreenOptions(
          Duration.ofMinutes(10),
          Duration.ZERO,
          AbortAction.SUSPEND,
          Gates.NONE,
          CutOver.DUPLICATE);

  private static final int MOST_CHECKPOINTS = 1000;
  private static final Duration SHORTEST_GRACE = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(365);

  /**
   * What a new job has to pass before it becomes live.
   *
   * @param checkpoints so many it has completed since its JobManager started it; 0 asks for nothing
   * @param noRestartFor for so long no task of it was started again; zero asks for nothing
   * @param metric name of a metric of the job or of its vertices; null asks for nothing
   * @param metricMax what that may be at most; null only where there is none
   */
  public record Gates(
      int checkpoints, Duration noRestartFor, @Nullable String metric, @Nullable Double metricMax) {

    /** Nothing is asked for. */
    public static final Gates NONE = new Gates(0, Duration.ZERO, null, null);

    /** Whether nothing is asked for. */
    public boolean isNone() {
      return equals(NONE);
    }
  }

  /** Reads the keys; a value that cannot be read counts as absent: a validation refuses it. */
  public static BlueGreenOptions of(Map<String, String> configuration) {
    Reader reader = new Reader(configuration);
    Double max = reader.value(METRIC_MAX, BlueGreenOptions::number, null);
    String metric = max == null ? null : reader.value(METRIC, BlueGreenOptions::name, null);
    return new BlueGreenOptions(
        reader.duration(GRACE, BlueGreenOptions::grace, DEFAULTS.grace),
        reader.duration(DELETION_DELAY, BlueGreenOptions::delay, DEFAULTS.deletionDelay),
        reader.action(),
        new Gates(
            reader.count(),
            reader.duration(NO_RESTART, BlueGreenOptions::quiet, Duration.ZERO),
            metric,
            metric == null ? null : max),
        reader.cutOver());
  }

  /** Why values cannot be read, by key; empty when all can. */
  public static Map<String, String> problems(Map<String, String> configuration) {
    Reader reader = new Reader(configuration);
    reader.check(GRACE, BlueGreenOptions::grace);
    reader.check(DELETION_DELAY, BlueGreenOptions::delay);
    reader.check(ON_ABORT, BlueGreenOptions::action);
    reader.check(CUT_OVER, BlueGreenOptions::cutOver);
    reader.check(CHECKPOINTS, BlueGreenOptions::checkpoints);
    reader.check(NO_RESTART, BlueGreenOptions::quiet);
    reader.check(METRIC, BlueGreenOptions::name);
    reader.check(METRIC_MAX, BlueGreenOptions::number);
    reader.checkPair();
    return reader.problems;
  }

  private static Duration grace(String text) {
    return within(text, SHORTEST_GRACE);
  }

  private static Duration delay(String text) {
    return within(text, Duration.ZERO);
  }

  private static Duration within(String text, Duration shortest) {
    Duration duration = FlinkDuration.parse(text);
    if (duration.compareTo(shortest) < 0 || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "must be a duration from " + shortest.toSeconds() + " s to " + LONGEST.toDays() + " d");
    }
    return duration;
  }

  private static int checkpoints(String text) {
    try {
      int number = Integer.parseInt(text.trim());
      if (number >= 0 && number <= MOST_CHECKPOINTS) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      // refused below
    }
    throw new IllegalArgumentException("must be a whole number from 0 to " + MOST_CHECKPOINTS);
  }

  private static Duration quiet(String text) {
    return Duration.ofMillis(StableAfter.parseQuietMs(text));
  }

  private static AbortAction action(String text) {
    return oneOf(AbortAction.values(), AbortAction::wire, text);
  }

  private static CutOver cutOver(String text) {
    return oneOf(CutOver.values(), CutOver::wire, text);
  }

  private static <T> T oneOf(T[] values, Function<T, String> wire, String text) {
    return Arrays.stream(values)
        .filter(it -> wire.apply(it).equals(text.trim()))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "must be "
                        + Arrays.stream(values).map(wire).collect(Collectors.joining(" or "))));
  }

  private static String name(String text) {
    return text.trim();
  }

  private static Double number(String text) {
    try {
      double number = Double.parseDouble(text.trim());
      if (Double.isFinite(number)) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      // said below, in words
    }
    throw new IllegalArgumentException("must be a number");
  }

  /** Reads values and collects what is wrong with them. A blank value is as none. */
  private static final class Reader {
    private final Map<String, String> configuration;
    private final Map<String, String> problems = new TreeMap<>();

    Reader(Map<String, String> configuration) {
      this.configuration = configuration;
    }

    <T> @Nullable T value(String key, Function<String, T> parse, @Nullable T otherwise) {
      String text = configuration.get(key);
      if (text == null || text.isBlank()) {
        return otherwise;
      }
      try {
        return parse.apply(text);
      } catch (IllegalArgumentException wrong) {
        problems.put(key, wrong.getMessage() + ", but is '" + text + "'");
        return otherwise;
      }
    }

    <T> void check(String key, Function<String, T> parse) {
      T unused = value(key, parse, null);
    }

    Duration duration(String key, Function<String, Duration> parse, Duration otherwise) {
      Duration found = value(key, parse, null);
      return found == null ? otherwise : found;
    }

    AbortAction action() {
      AbortAction found = value(ON_ABORT, BlueGreenOptions::action, null);
      return found == null ? DEFAULTS.onAbort : found;
    }

    CutOver cutOver() {
      CutOver found = value(CUT_OVER, BlueGreenOptions::cutOver, null);
      return found == null ? DEFAULTS.cutOver : found;
    }

    int count() {
      Integer found = value(CHECKPOINTS, BlueGreenOptions::checkpoints, null);
      return found == null ? 0 : found;
    }

    /** A metric without a bound says nothing, nor does a bound without a metric. */
    void checkPair() {
      boolean metric = has(METRIC);
      if (metric != has(METRIC_MAX)) {
        problems.put(
            metric ? METRIC_MAX : METRIC,
            "must be given together with " + (metric ? METRIC : METRIC_MAX));
      }
    }

    private boolean has(String key) {
      return !configuration.getOrDefault(key, "").isBlank();
    }
  }
}
