package dev.sluice.workflows.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.UpgradeMode;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A job whose session cluster is about to be replaced is suspended, and nothing else has changed.
 */
class LeavingClusterTest {

  private static Seen unchanged() {
    return Seen.stable().generation(6).sameAsFrozen(true);
  }

  static Stream<Arguments> rules() {
    return Stream.of(
        Arguments.of("its cluster stays", unchanged(), "up to date"),
        Arguments.of("its cluster goes", unchanged().clusterGoes(), "STOP_WITH_SAVEPOINT"),
        Arguments.of(
            "its cluster goes, stateless",
            unchanged().mode(UpgradeMode.STATELESS).clusterGoes(),
            "DISCARD"),
        Arguments.of(
            "its cluster goes, and it has ended",
            unchanged().ended(Seen.OLD, FlinkJobState.FINISHED).clusterGoes(),
            "up to date"),
        Arguments.of(
            "its cluster goes, and does not answer",
            unchanged().unreachable().clusterGoes(),
            "not up to date"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void aJobLeavesAClusterThatGoes(String name, Seen seen, String expected) {
    Decision decision = seen.decide(true, false);

    assertThat(words(decision)).isEqualTo(expected);
  }

  private static String words(Decision decision) {
    if (decision instanceof Decision.UpToDate) {
      return "up to date";
    }
    return decision instanceof Decision.Proceed it
        ? it.plan().suspend().how().name()
        : "not up to date";
  }
}
