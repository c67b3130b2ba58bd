package dev.sluice.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CounterOptionsTest {

  @Test
  void withoutFlagsItCountsOneEndlessSequenceAndDoesNotMisbehave() {
    assertThat(CounterOptions.parse())
        .isEqualTo(
            new CounterOptions(
                "counter",
                100,
                new CounterOptions.Counting(10, 0, Duration.ofSeconds(5)),
                SourceOptions.ENDLESS,
                new Execution(
                    0,
                    Execution.Retention.CONFIGURED,
                    false,
                    new Execution.Batch(false, 100, Duration.ofMillis(10))),
                FaultOptions.NONE));
  }

  @Test
  void everyFlagOfACountingJobIsRead() {
    CounterOptions options =
        CounterOptions.parse(
            ("--name orders --rate 7 --keys 3 --state-bytes 64 --max-parallelism 16"
                    + " --log-every 10 --fail-at-start open --fail-after 9 --fail-while-file /f"
                    + " --slow-start 5 --slow-snapshot -1 --slow-snapshot-while-file /s"
                    + " --splits 2 --bounded-split 8 --bounded-source 0 --no-slots true"
                    + " --retention delete")
                .split(" "));

    assertThat(options)
        .isEqualTo(
            new CounterOptions(
                "orders",
                7,
                new CounterOptions.Counting(3, 64, Duration.ofMillis(10)),
                new SourceOptions(2, 8, 0),
                new Execution(
                    16,
                    Execution.Retention.DELETE,
                    true,
                    new Execution.Batch(false, 100, Duration.ofMillis(10))),
                new FaultOptions(
                    FaultOptions.AtStart.OPEN,
                    9,
                    "/f",
                    Duration.ofMillis(5),
                    Duration.ofMillis(-1),
                    "/s")));
  }

  @Test
  void everyFlagOfABatchJobIsRead() {
    CounterOptions options =
        CounterOptions.parse("--batch true --batch-elements 7 --batch-delay 3".split(" "));

    assertThat(options.execution().batch())
        .isEqualTo(new Execution.Batch(true, 7, Duration.ofMillis(3)));
  }

  @ParameterizedTest
  @CsvSource({
    "--rate 0, --rate is '0'; allowed is a whole number from 1",
    "--rate fast, --rate is 'fast'",
    "--slow-snapshot -2, --slow-snapshot is '-2'; allowed is a whole number from -1",
    "--fail-at-start later, '--fail-at-start is ''later''; allowed is one of [never, main, open]'",
    "--retention keep, '--retention is ''keep''; allowed is one of [configured, delete, retain]'",
    "--no-slots yes, '--no-slots is ''yes''; allowed is one of [true, false]'",
    "--splits 11, --splits 11 needs at least as many --keys",
    "--bounded-split 5, --bounded-split needs --splits 2 or more",
    "--batch true --splits 2, --batch true goes without --splits",
    "--batch true --bounded-source 1, --batch true goes without --splits",
    "--batch true --no-slots true, --batch true goes without --splits",
    "--rte 5, Unknown flags [rte]; known are [--batch",
    "--rate, Expected pairs of --flag value",
    "rate 5, Expected pairs of --flag value",
  })
  void aWrongFlagSaysWhatIsAllowed(String args, String message) {
    assertThatThrownBy(() -> CounterOptions.parse(args.split(" ")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
