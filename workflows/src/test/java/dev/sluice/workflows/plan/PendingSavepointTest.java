package dev.sluice.workflows.plan;

import static dev.sluice.workflows.plan.DecisionWords.words;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.model.Observation.StateOptions;
import dev.sluice.workflows.plan.Decision.Settle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Upgrades of a job of which somebody takes a savepoint. Apache's operator kills that one, whatever
 * {@code ignore-pending-savepoint} says.
 */
class PendingSavepointTest {

  private static Seen taking(Seen seen) {
    seen.takeSavepoint();
    return seen;
  }

  @ParameterizedTest
  @EnumSource(UpgradeMode.class)
  void itIsWaitedForInEachMode(UpgradeMode mode) {
    Seen seen = taking(Seen.stable().mode(mode));

    assertThat(seen.decide(false, false)).isInstanceOf(Settle.class);
    assertThat(words(seen.decide(true, false))).isEqualTo("blocked Blocked");
  }

  @Test
  void aRedeploymentWaitsToo() {
    Seen seen = taking(Seen.stable().redeploying("s3://chosen"));

    assertThat(words(seen.decide(true, false))).isEqualTo("blocked Blocked");
  }

  @Test
  void aRetryStopsTheJobAtOnce() {
    assertThat(words(taking(Seen.stable()).decide(true, true))).isEqualTo("stop old -> suspended");
  }

  @Test
  void ignorePendingSavepointStopsTheJobAtOnce() {
    Seen seen = taking(Seen.stable());
    seen.options = new StateOptions(false, true, true, null, true, null);

    assertThat(words(seen.decide(false, false))).isEqualTo("stop old -> suspended");
  }

  /** Flink completes none then. */
  @Test
  void aJobThatIsNotUpIsNotWaitedFor() {
    Seen seen = taking(Seen.stable().state(Seen.OLD, FlinkJobState.RESTARTING));

    assertThat(words(seen.decide(true, false))).isEqualTo("cancel old -> suspended");
  }

  @Test
  void theWayBackDoesNotWait() {
    Seen seen = taking(Seen.started().up(Seen.NEW).rollingBack());

    assertThat(words(seen.decide(true, false))).doesNotContain("blocked");
  }
}
