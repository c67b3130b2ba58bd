package dev.sluice.workflows.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.simulation.WorkflowWorker;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Known weaknesses of Lyft's operator, by their numbers, and what happens here. */
class WeaknessesTest {

  private static final ModelSpec NEXT = ModelSpec.FIRST.image(2);

  private final WorkflowWorker workers = EveryApplicationFaultTest.workers();

  @AfterEach
  void end() {
    workers.close();
  }

  private ApplicationModel run(ApplicationScenario scenario, int at, ApplicationAct act) {
    ApplicationCase run = new ApplicationCase(workers, scenario, at, true, act);
    assertThat(run.run(null)).isEmpty();
    return run.model;
  }

  private ApplicationModel run(String scenario) {
    return run(ApplicationScenario.named(scenario), 0, ApplicationAct.CRASH);
  }

  /**
   * @param phase in the end; none when the resource is gone
   * @param from what the job of the deployed version was started from; {@code itself} for the one
   *     that ran from the beginning
   * @param steps some of those that were taken, in this order
   * @param not steps that were not
   * @param says parts of the last message
   */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          W1  | first-refused | DEPLOY_FAILED | - | SubmitVersionJob DeleteVersion | - | -
          W2  | dual-fails | DEPLOY_FAILED | savepoint | - | - | does not run; runs again
          W6  | dual-failed-before-reverted | RUNNING | itself | - | FreezeVersion | -
          W7  | recover | RUNNING | checkpoint | - | - | -
          W8  | dual-never-up | DEPLOY_FAILED | savepoint \
          | SubmitVersionJob DeleteVersion SubmitVersionJob | - | -
          W10 | deleted-savepoint-fails | - | - \
          | TakeVersionSavepoint TakeVersionSavepoint TakeVersionSavepoint | - \
          | No savepoint; the directory refuses; started again from checkpoint chk-aaaaaa-
          W10 | deleted | - | - | - | - | The final savepoint; sp-
          W10 | deleted-force | - | - | - | TakeVersionSavepoint \
          | can be started again from checkpoint chk-aaaaaa-
          W10 | deleted-while-lost | - | - | - | - | can be started again from checkpoint chk-aaaaaa-
          W10 | deleted-while-silent | - | - | DeleteVersion FindVersionState | - \
          | does not answer; can be started again from checkpoint chk-aaaaaa-
          W10 | deleted-before-adoption | - | - | AdoptVersion TakeVersionSavepoint | - \
          | The final savepoint of app-0a1b2c3d is sp-
          W10 | deleted-after-lyfts-cluster | - | - | - | - \
          | No savepoint of 0a1b2c3d of Lyft's operator: its Deployments are not both there
          W12 | bg-promotes | RUNNING | savepoint | CutOver DeleteVersion | - | -
          W12 | bg-tear-down-pending | DUAL_RUNNING | itself | DeleteVersion CutOver | - | -
          W13 | dual-redeploy | RUNNING | named | - | - | -
          W15 | bg-fails | DEPLOY_FAILED | itself | - | - | -
          W15 | deleted-both-force | - | - | CancelVersionJob CancelVersionJob | - | -
          W18 | dual-finishes | RUNNING | savepoint | - | - | -
          W24 | adopted | RUNNING | elsewhere | - | CreateVersion SubmitVersionJob | -
          """)
  void aKnownWeaknessIsNone(
      String weakness,
      String scenario,
      @Nullable ApplicationPhase phase,
      @Nullable String from,
      @Nullable String steps,
      @Nullable String not,
      @Nullable String says) {
    ApplicationModel model = run(scenario);

    if (phase == null) {
      assertThat(model.exists).isFalse();
      assertThat(model.clusters).isEmpty();
    } else {
      assertThat(model.record.phase()).isEqualTo(phase);
    }
    assertThat(from(model)).isEqualTo(phase == null ? from(model) : from);
    if (steps != null) {
      assertThat(model.steps).containsSubsequence(steps.split(" "));
    }
    if (not != null) {
      assertThat(model.steps).doesNotContain(not.split(" "));
    }
    if (says != null) {
      assertThat(model.lastMessage()).contains(says.split("; "));
    }
  }

  /** Null without a job. */
  static @Nullable String from(ApplicationModel model) {
    ModelJob job = model.job(model.record.deployed());
    if (job == null) {
      return null;
    }
    if (job.id.equals("a".repeat(32))) {
      return "itself";
    }
    if (job.id.equals("b".repeat(32))) {
      return "elsewhere";
    }
    if (job.from instanceof StateRef.Empty) {
      return "nothing";
    }
    return ModelWorld.NAMED.equals(job.from.pathOrNull())
        ? "named"
        : job.from instanceof StateRef.Savepoint ? "savepoint" : "checkpoint";
  }

  @Test
  void w1ANewerSpecBeginsAgainAfterAFirstDeploymentThatFailed() {
    ApplicationModel corrected =
        run(ApplicationScenario.named("first-refused"), 3, ApplicationAct.NEWER);

    assertThat(corrected.record.phase()).isEqualTo(ApplicationPhase.RUNNING);
  }

  @Test
  void w6ASpecThatHasFailedIsNotTriedAgainByItself() {
    ApplicationModel model = run("dual-fails");

    assertThat(model.steps).containsOnlyOnce("FreezeVersion");
    assertThat(model.record.hashes().failed()).isEqualTo(NEXT.hash());
  }

  @Test
  void w9ALostAnswerOfASubmissionStartsNoSecondJob() {
    int submits = run("dual").steps.indexOf("SubmitVersionJob") + 1;

    ApplicationModel model = run(ApplicationScenario.named("dual"), submits, ApplicationAct.CRASH);

    assertThat(model.allJobs).hasSize(2);
    assertThat(model.steps).filteredOn("SubmitVersionJob"::equals).hasSize(2);
  }

  @Test
  void w12TheNewVersionTakesOverByItselfAndTheOldOneIsTornDown() {
    ApplicationModel model = run("bg-promotes");

    assertThat(Objects.requireNonNull(model.record.deployed()).hash()).isEqualTo(NEXT.hash());
    assertThat(model.record.hashes().tornDown()).isEqualTo(ModelSpec.FIRST.hash());
  }
}
