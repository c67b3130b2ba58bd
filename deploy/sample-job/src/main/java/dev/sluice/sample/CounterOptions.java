package dev.sluice.sample;

import java.io.Serial;
import java.io.Serializable;
import java.time.Duration;

/**
 * The job's flags.
 *
 * @param name the job's name
 * @param rate elements per second, of the whole job
 * @param keys number of keys
 * @param stateBytes state kept per key beside its count, in bytes
 * @param maxParallelism maximum parallelism; 0: Flink's default
 * @param logEvery how often each subtask logs its counts
 * @param faults how it misbehaves
 */
record CounterOptions(
    String name,
    long rate,
    long keys,
    int stateBytes,
    int maxParallelism,
    Duration logEvery,
    Faults faults)
    implements Serializable {

  @Serial private static final long serialVersionUID = 1L;

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
            flags.number("keys", 10, 1, 10_000_000),
            (int) flags.number("state-bytes", 0, 0, 100_000_000),
            (int) flags.number("max-parallelism", 0, 0, 32768),
            Duration.ofMillis(flags.number("log-every", 5000, 1, Long.MAX_VALUE / 1_000_000)),
            new Faults(
                flags.choice("fail-at-start", Faults.AtStart.NEVER),
                flags.number("fail-after", 0, 0, Long.MAX_VALUE),
                flags.text("fail-while-file", ""),
                Duration.ofMillis(flags.number("slow-start", 0, 0, 3_600_000)),
                Duration.ofMillis(flags.number("slow-snapshot", 0, -1, 3_600_000)),
                flags.text("slow-snapshot-while-file", "")));
    flags.requireNoneLeft();
    return options;
  }
}
