package dev.sluice.local.node.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbeTallyTest {

  /** {@code +} is a success, {@code -} a failure. */
  @ParameterizedTest
  @CsvSource({
    "1, 3, '', none", "1, 3, +, succeeds", "1, 3, --, none", "1, 3, ---, fails",
    "1, 3, +--, succeeds", "1, 3, +--+--, succeeds", "1, 3, +---, fails", "1, 3, ---+, succeeds",
    "2, 1, +, none", "2, 1, ++, succeeds", "2, 1, +-+, fails",
  })
  void aVerdictNeedsEnoughResultsInARow(int success, int failure, String results, String verdict) {
    Probe probe =
        new ProbeBuilder().withSuccessThreshold(success).withFailureThreshold(failure).build();
    ProbeTally tally = ProbeTally.NONE;
    for (char result : results.toCharArray()) {
      tally = tally.with(result == '+', probe);
    }

    String says = tally.succeeds() ? "succeeds" : tally.fails() ? "fails" : "none";
    assertThat(says).isEqualTo(verdict);
  }
}
