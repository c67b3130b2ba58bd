package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActionTest {

  @ParameterizedTest
  @CsvSource({
    "NEVER_STARTED, START",
    "ENDED, START",
    "OUTDATED, RESTART",
    "UNREADY, RESTART",
    "READY, KEEP"
  })
  void followsFromWhatIsSeen(PartObservation seen, Action expected) {
    assertThat(Action.of(seen)).isEqualTo(expected);
  }
}
