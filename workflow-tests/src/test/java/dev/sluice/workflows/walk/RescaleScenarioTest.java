package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.walk.CaseRun.Outcome;
import dev.sluice.workflows.walk.Cases.Todo;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs whose parallelism changes while they run, in whole operations. */
class RescaleScenarioTest {

  private static Outcome run(String... names) {
    List<Case> acts = Stream.of(names).map(Case::parse).toList();
    Todo todo =
        new Todo(
            String.join(" + ", names),
            acts.get(0).scenario(),
            (lane, point) -> acts.forEach(act -> act.script().at(lane, point)));
    List<Outcome> outcomes = new ArrayList<>();
    try (Cases cases = new Cases()) {
      cases.run(List.of(todo), outcomes::add);
    }
    return outcomes.get(0);
  }

  private static List<String> jobsBegun(Outcome outcome) {
    return outcome.trace().stream()
        .filter(line -> line.matches("\\d+ job \\w+ begins at \\d+"))
        .map(line -> line.split(" ")[2])
        .distinct()
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rescale", "rescale-down", "rescale-ha"})
  void aJobIsScaledStepByStepAndNoStateIsTouched(String scenario) {
    Outcome outcome = run(scenario);

    assertThat(outcome.violations()).isEmpty();
    assertThat(jobsBegun(outcome)).hasSize(1);
    assertThat(outcome.steps())
        .containsExactly(
            "Observe",
            "CheckRescale",
            "FreezeTarget",
            "ChangeParallelism",
            "Report",
            "AwaitParallelism",
            "UpdateCluster",
            "MarkStable");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"rescale-few-slots", "rescale-few-slots-aborted", "rescale-few-slots-reverted"})
  void withTooFewSlotsThatIsToldAndTheJobGoesOn(String scenario) {
    Outcome outcome = run(scenario);

    assertThat(outcome.violations()).isEmpty();
    assertThat(jobsBegun(outcome)).hasSize(1);
    assertThat(outcome.trace())
        .filteredOn(line -> line.contains("HELD"))
        .first()
        .asString()
        .contains("ClusterNotReady", "fewer subtasks");
  }

  @Test
  void anAbortTakesTheOldParallelismBackBeforeTheOldSpec() {
    assertThat(run("rescale-few-slots-aborted").steps())
        .containsSubsequence("ChangeParallelism", "AwaitParallelism", "UndoRescale", "FreezeStable")
        .doesNotContain("UpdateCluster", "StopWithSavepoint", "DeleteCluster");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rescale-denied", "rescale-refused"})
  void whatCannotBeDoneInPlaceIsAnUpgrade(String scenario) {
    Outcome outcome = run(scenario);

    assertThat(outcome.violations()).isEmpty();
    assertThat(jobsBegun(outcome)).hasSize(2);
    assertThat(outcome.trace()).anyMatch(line -> line.contains("Not scaled in place: "));
    assertThat(outcome.steps()).contains("StopWithSavepoint").doesNotContain("UpdateCluster");
  }

  @Test
  void whatHasNoCheckpointToStartAgainFromIsAnUpgrade() {
    Outcome outcome = run("rescale-without-checkpoints");

    assertThat(outcome.violations()).isEmpty();
    assertThat(outcome.trace())
        .anyMatch(line -> line.contains("Not scaled in place: no recent checkpoint"));
    assertThat(outcome.steps()).contains("StopWithSavepoint").doesNotContain("ChangeParallelism");
  }

  @Test
  void moreThanTheStateAllowsIsHeldWhileTheJobRunsOn() {
    Outcome outcome = run("rescale-too-far");

    assertThat(outcome.violations()).isEmpty();
    assertThat(outcome.trace())
        .filteredOn(line -> line.contains("HELD"))
        .first()
        .asString()
        .contains("blocked=false", "InvalidSpec", "at most three");
    assertThat(jobsBegun(outcome)).hasSize(1);
    assertThat(outcome.steps()).doesNotContain("FreezeTarget", "StopWithSavepoint");
  }

  @Test
  void anAbortOfARescaleWhoseFreezeWasNotAnsweredStopsNothing() {
    Outcome outcome =
        run("rescale/03-FreezeTarget/AFTER/ANSWER_LOST", "rescale/04-Report/BEFORE/ABORT");

    assertThat(outcome.violations()).isEmpty();
    assertThat(jobsBegun(outcome)).hasSize(1);
    assertThat(outcome.steps()).contains("FreezeStable").doesNotContain("StopWithSavepoint");
  }

  @Test
  void anAbortOfARescaleThatIsStableAlreadyIsTooLate() {
    Outcome outcome =
        run("rescale/08-MarkStable/AFTER/ANSWER_LOST", "rescale/09-Report/BEFORE/ABORT");

    assertThat(outcome.violations()).isEmpty();
    assertThat(jobsBegun(outcome)).hasSize(1);
    assertThat(outcome.steps()).doesNotContain("FreezeStable", "UndoRescale");
  }

  @Test
  void aRollbackOfARescaleThatIsStableAlreadyFollows() {
    Outcome outcome =
        run("rescale/08-MarkStable/AFTER/ANSWER_LOST", "rescale/09-Report/BEFORE/ROLLBACK");

    assertThat(outcome.violations()).isEmpty();
    assertThat(outcome.steps()).contains("FreezeRevision").doesNotContain("FreezeStable");
  }

  @Test
  void aJobManagerThatIsLostBeforeTheClusterIsUpdatedIsFoundAfterwards() {
    Outcome outcome =
        run(
            "rescale/07-UpdateCluster/BEFORE/JOB_MANAGER_DIES",
            "rescale/07-UpdateCluster/BEFORE/API_SERVER_AWAY_LONG");

    assertThat(outcome.violations()).isEmpty();
    assertThat(outcome.steps()).endsWith("MarkStable");
  }

  @Test
  void anAbortWhileTheClusterIsUpdatedTakesThatBack() {
    Outcome outcome = run("rescale/07-UpdateCluster/BEFORE/ABORT");

    assertThat(outcome.violations()).isEmpty();
    assertThat(outcome.steps())
        .containsSubsequence("UpdateCluster", "UndoRescale", "FreezeStable")
        .doesNotContain("MarkStable");
  }

  @Test
  void whoeverElseSetsTheParallelismAgainAndAgainIsToldOf() {
    Outcome outcome = run("rescale-contested");

    assertThat(outcome.violations()).isEmpty();
    assertThat(outcome.trace())
        .filteredOn(line -> line.contains("HELD"))
        .first()
        .asString()
        .contains("Somebody else changes the parallelism");
    assertThat(outcome.steps()).endsWith("MarkStable");
  }

  @Test
  void anotherParallelismMeanwhileIsAnotherRescaleOfTheSameJob() {
    Outcome outcome = run("rescale/06-AwaitParallelism/DURING/RESCALE");

    assertThat(outcome.violations()).isEmpty();
    assertThat(jobsBegun(outcome)).hasSize(1);
    assertThat(outcome.steps()).doesNotContain("UndoRescale", "StopWithSavepoint");
  }

  @Test
  void aNewerSpecOfAnotherKindFindsTheOldParallelism() {
    assertThat(run("rescale/06-AwaitParallelism/DURING/NEWER_SPEC").steps())
        .containsSubsequence("ChangeParallelism", "UndoRescale", "StopWithSavepoint");
  }
}
