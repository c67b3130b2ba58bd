package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.walk.CaseRun.Outcome;
import dev.sluice.workflows.walk.Cases.Todo;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cases in which the product once broke a rule. */
class OnceBrokenTest {

  private static final List<String> FAULTS =
      List.of(
          // the report that the run is blocked was lost, and never sent again
          "deploy-without-image/06-Report/BEFORE/API_SERVER_AWAY_LONG",
          "upgrade-without-image/07-Report/BEFORE/API_SERVER_AWAY_LONG");

  @Test
  void noRuleIsBroken() {
    List<Outcome> outcomes = new ArrayList<>();
    List<Case> cases = FAULTS.stream().map(Case::parse).toList();

    try (Cases walk = new Cases()) {
      walk.run(cases.stream().map(Todo::of).toList(), outcomes::add);
    }

    assertThat(outcomes).allMatch(outcome -> outcome.violations().isEmpty());
    assertThat(outcomes)
        .allSatisfy(outcome -> assertThat(outcome.trace()).anyMatch(OnceBrokenTest::isAct));
  }

  private static boolean isAct(String line) {
    return line.contains(" ACT ");
  }
}
