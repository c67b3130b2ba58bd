package dev.sluice.sample;

import java.io.Serial;
import java.io.Serializable;
import java.time.Duration;

/**
 * The job's flags.
 *
 * @param name the job's name
 * @param rate elements per second, of each source
 * @param counting what is counted
 * @param sources the sources beside the endless one, or instead of it
 * @param execution how Flink is told to run it
 * @param faults how it misbehaves
 */
record CounterOptions(
    String name,
    long rate,
    Counting counting,
    SourceOptions sources,
    Execution execution,
    FaultOptions faults)
    implements Serializable {

  @Serial private static final long serialVersionUID = 1L;

  /**
   * What is counted.
   *
   * @param keys number of keys
   * @param stateBytes state kept per key beside its count, in bytes
   * @param logEvery how often each subtask logs its counts
   */
  record Counting(long keys, int stateBytes, Duration logEvery) implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
  }

  /**
   * Reads {@code --flag value} pairs.
   *
   * @throws IllegalArgumentException naming the flag, its value and what is allowed
   */
  static CounterOptions parse(String... args) {
    Flags flags = Flags.of(args);
    CounterOptions options =
        new CounterOptions(
            flags.text("name", "counter"),
            flags.number("rate", 100, 1, 10_000_000),
            new Counting(
                flags.number("keys", 10, 1, 10_000_000),
                (int) flags.number("state-bytes", 0, 0, 100_000_000),
                Duration.ofMillis(flags.number("log-every", 5000, 1, Long.MAX_VALUE / 1_000_000))),
            SourceOptions.parse(flags),
            Execution.parse(flags),
            new FaultOptions(
                flags.choice("fail-at-start", FaultOptions.AtStart.NEVER),
                flags.number("fail-after", 0, 0, Long.MAX_VALUE),
                flags.text("fail-while-file", ""),
                Duration.ofMillis(flags.number("slow-start", 0, 0, 3_600_000)),
                Duration.ofMillis(flags.number("slow-snapshot", 0, -1, 3_600_000)),
                flags.text("slow-snapshot-while-file", ""),
                flags.text("main-while-file", ""),
                flags.text("submitted-while-file", "")));
    flags.requireNoneLeft();
    options.requireThatFlagsFit();
    return options;
  }

  private void requireThatFlagsFit() {
    if (sources.splits() > counting.keys()) {
      throw new IllegalArgumentException(
          "--splits "
              + sources.splits()
              + " needs at least as many --keys, and there are "
              + counting.keys());
    }
    if (sources.boundedSplit() >= 0 && sources.splits() < 2) {
      throw new IllegalArgumentException(
          "--bounded-split needs --splits 2 or more: one split has to go on");
    }
    if (execution.batch().wanted()
        && (execution.noSlots() || !sources.equals(SourceOptions.ENDLESS))) {
      throw new IllegalArgumentException(
          "--batch true goes without --splits, --bounded-split, --bounded-source and --no-slots");
    }
  }
}
