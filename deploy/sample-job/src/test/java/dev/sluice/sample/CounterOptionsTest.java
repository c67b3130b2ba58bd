package dev.sluice.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CounterOptionsTest {

  @Test
  void withoutFlagsItCountsAndDoesNotMisbehave() {
    assertThat(CounterOptions.parse())
        .isEqualTo(
            new CounterOptions("counter", 100, 10, 0, 0, Duration.ofSeconds(5), Faults.NONE));
  }

  @Test
  void everyFlagIsRead() {
    CounterOptions options =
        CounterOptions.parse(
            ("--name orders --rate 7 --keys 3 --state-bytes 64 --max-parallelism 16"
                    + " --log-every 10 --fail-at-start open --fail-after 9 --fail-while-file /f"
                    + " --slow-start 5 --slow-snapshot -1 --slow-snapshot-while-file /s")
                .split(" "));

    assertThat(options)
        .isEqualTo(
            new CounterOptions(
                "orders",
                7,
                3,
                64,
                16,
                Duration.ofMillis(10),
                new Faults(
                    Faults.AtStart.OPEN,
                    9,
                    "/f",
                    Duration.ofMillis(5),
                    Duration.ofMillis(-1),
                    "/s")));
  }

  @ParameterizedTest
  @CsvSource({
    "--rate 0, --rate is '0'; allowed is a whole number from 1",
    "--rate fast, --rate is 'fast'",
    "--slow-snapshot -2, --slow-snapshot is '-2'; allowed is a whole number from -1",
    "--fail-at-start later, '--fail-at-start is ''later''; allowed is one of [never, main, open]'",
    "--rte 5, Unknown flags [rte]; known are [--fail-after",
    "--rate, Expected pairs of --flag value",
    "rate 5, Expected pairs of --flag value",
  })
  void aWrongFlagSaysWhatIsAllowed(String args, String message) {
    assertThatThrownBy(() -> CounterOptions.parse(args.split(" ")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
