package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.walk.Cases.Todo;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each scenario, when nothing else happens. */
class UndisturbedTest {

  @Test
  void everyScenarioComesToItsEnd() {
    List<CaseRun.Outcome> outcomes = new ArrayList<>();
    try (Cases cases = new Cases()) {
      cases.run(
          Scenarios.all().stream().map(Case::undisturbed).map(Todo::of).toList(), outcomes::add);
    }
    assertThat(outcomes)
        .filteredOn(outcome -> !outcome.violations().isEmpty())
        .extracting(CaseRun.Outcome::display)
        .isEmpty();
  }
}
