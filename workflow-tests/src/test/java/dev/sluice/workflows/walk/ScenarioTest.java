package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.walk.CaseRun.Outcome;
import dev.sluice.workflows.walk.Cases.Todo;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rescales, and jobs that go on from their high-availability metadata, in whole operations: what
 * becomes of them beside the rules that {@link EveryFaultTest} judges.
 */
class ScenarioTest {

  private static Outcome run(String... names) {
    List<Outcome> outcomes = new ArrayList<>();
    try (Cases cases = new Cases()) {
      cases.run(List.of(Todo.of(List.of(names))), outcomes::add);
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

  /**
   * @param cases the scenario, or what happens in it, with commas
   * @param jobs how many jobs were begun
   * @param steps some of those that were taken, in this order
   * @param not steps that were not
   * @param says part of the trace: of a message that the user gets
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # with too few slots the job goes on
          rescale-few-slots | 1 | ChangeParallelism | - | fewer subtasks
          rescale-few-slots-reverted | 1 | ChangeParallelism | StopWithSavepoint | fewer subtasks
          # an abort takes the old parallelism back before the old spec
          rescale-few-slots-aborted | 1 | ChangeParallelism AwaitParallelism UndoRescale FreezeStable \
          | UpdateCluster StopWithSavepoint DeleteCluster | fewer subtasks
          # what cannot be done in place is an upgrade
          rescale-denied | 2 | StopWithSavepoint | UpdateCluster | Not scaled in place:
          rescale-refused | 2 | StopWithSavepoint | UpdateCluster | Not scaled in place:
          # what has no checkpoint to start again from is an upgrade
          rescale-without-checkpoints | 2 | StopWithSavepoint | ChangeParallelism \
          | Not scaled in place: no recent checkpoint
          # more than the state allows is held while the job runs on
          rescale-too-far | 1 | CheckRescale | FreezeTarget StopWithSavepoint | at most three
          # an abort of a rescale whose freeze was not answered stops nothing
          rescale/03-FreezeTarget/AFTER/ANSWER_LOST, rescale/04-Report/BEFORE/ABORT | 1 \
          | FreezeStable | StopWithSavepoint | -
          # an abort is too late, and a rollback follows, once it is stable
          rescale/08-MarkStable/AFTER/ANSWER_LOST, rescale/09-Report/BEFORE/ABORT | 1 | MarkStable \
          | FreezeStable UndoRescale | -
          rescale/08-MarkStable/AFTER/ANSWER_LOST, rescale/09-Report/BEFORE/ROLLBACK | - \
          | FreezeRevision | FreezeStable | -
          # a JobManager that is lost before the cluster is updated is found afterwards
          rescale/07-UpdateCluster/BEFORE/JOB_MANAGER_DIES, \
          rescale/07-UpdateCluster/BEFORE/API_SERVER_AWAY_LONG | - | MarkStable | - | -
          # an abort while the cluster is updated takes that back
          rescale/07-UpdateCluster/BEFORE/ABORT | - | UpdateCluster UndoRescale FreezeStable \
          | MarkStable | -
          # whoever else sets the parallelism again and again is named
          rescale-contested | - | MarkStable | - | What is there changes again and again
          # another parallelism meanwhile is another rescale of the same job
          rescale/06-AwaitParallelism/DURING/RESCALE | 1 | MarkStable \
          | UndoRescale StopWithSavepoint | -
          # a newer spec of another kind finds the old parallelism
          rescale/06-AwaitParallelism/DURING/NEWER_SPEC | - \
          | ChangeParallelism UndoRescale StopWithSavepoint | - | -
          # by metadata nobody is asked, and the job keeps its id
          upgrade-ha-silent | 1 | DeleteCluster CreateCluster | StopWithSavepoint CancelJob | -
          upgrade-ha-silent-last-state | 1 | CreateCluster | StopWithSavepoint CancelJob | -
          upgrade-ha-not-cancelled | 1 | CreateCluster | StopWithSavepoint CancelJob | -
          upgrade-ha-deployment-deleted | 1 | CreateCluster | StopWithSavepoint CancelJob | -
          upgrade-ha-silent-to-no-slots-aborted | 1 | FreezeStable | StopWithSavepoint CancelJob | -
          suspend-ha-silent | 1 | DeleteCluster | StopWithSavepoint CancelJob | -
          suspend-ha-not-cancelled | 1 | DeleteCluster | StopWithSavepoint CancelJob | -
          resume-ha | 1 | CreateCluster | StopWithSavepoint CancelJob | -
          # a job whose metadata is lost is not started until a person chooses
          upgrade-ha-metadata-lost | 2 | CreateCluster | - | StateNotFound
          # nothing is left of the old cluster, and the new one is not made yet
          upgrade-ha-silent/06-CreateCluster/BEFORE/METADATA_DELETED_BY_HAND | - | CreateCluster \
          | - | StateNotFound
          """)
  void whatBecomesOfIt(
      String cases,
      @Nullable Integer jobs,
      String steps,
      @Nullable String not,
      @Nullable String says) {
    Outcome outcome = run(cases.split(", *"));

    assertThat(outcome.violations()).isEmpty();
    assertThat(outcome.steps()).containsSubsequence(steps.split(" "));
    if (jobs != null) {
      assertThat(jobsBegun(outcome)).hasSize(jobs);
    }
    if (not != null) {
      assertThat(outcome.steps()).doesNotContain(not.split(" "));
    }
    if (says != null) {
      assertThat(outcome.trace()).anyMatch(line -> line.contains(says));
    }
  }
}
