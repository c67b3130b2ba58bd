package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.walk.CaseRun.Outcome;
import dev.sluice.workflows.walk.Cases.Todo;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run that is held for weeks goes on in a run of its own, which does what this one would do. */
class LongHistoryTest {

  private final List<Outcome> outcomes = new ArrayList<>();

  /** As it is, and with a Temporal that says from the first call of each run that it is long. */
  private Outcome withLongHistories(String scenario) {
    Scenario it = Case.parse(scenario).scenario();
    try (Cases cases = new Cases()) {
      cases.run(
          List.of(
              new Todo(scenario, it, (lane, point) -> {}),
              new Todo(scenario + ", long", it, (lane, point) -> lane.historyIsLong())),
          outcomes::add);
    }
    assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.violations()).isEmpty());
    return outcomes.get(1);
  }

  private void beginsAnew() {
    assertThat(runs(outcomes.get(1))).isGreaterThan(runs(outcomes.get(0)));
  }

  private static long runs(Outcome outcome) {
    return outcome.trace().stream().filter(line -> line.endsWith("run ended")).count();
  }

  /** The generation that is named is gone back to, and the annotations do not stay. */
  @ParameterizedTest
  @ValueSource(strings = {"rollback-further-pods-stay", "rollback-further-after-an-abort"})
  void aRollbackThatBeginsAnewKnowsThatItAnswersARequest(String scenario) {
    Outcome outcome = withLongHistories(scenario);

    beginsAnew();
    assertThat(outcome.trace()).anyMatch(line -> line.contains("frozen revision"));
  }

  /** Its pods may stay for days: the run that goes on gives it up, too, and deploys nothing. */
  @Test
  void aDeploymentThatIsBeingAbortedIsGivenUpByTheRunThatGoesOn() {
    Outcome outcome = withLongHistories("deploy-aborted-pods-stay");

    beginsAnew();
    assertThat(outcome.trace())
        .anyMatch(line -> line.contains("reported Aborted"))
        .noneMatch(line -> line.contains("the user: HEAL_AND_RETRY"));
  }
}
