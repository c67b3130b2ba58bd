package dev.sluice.workflows.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.application.ModelSpec.Works;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.simulation.WorkflowWorker;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What goes wrong with Lyft's operator, case by case, and does not here. */
class LyftWeaknessesTest {

  private static final ModelSpec NEXT = ModelSpec.FIRST.image(2);

  private final WorkflowWorker workers = EveryApplicationFaultTest.workers();

  @AfterEach
  void end() {
    workers.close();
  }

  @Test
  void w1AFirstDeploymentThatFailsEndsAndANewerSpecBeginsAgain() {
    ApplicationModel failed =
        run("w1", model -> model.change(ModelSpec.FIRST.works(Works.REFUSED)));

    assertThat(failed.record.phase()).isEqualTo(ApplicationPhase.DEPLOY_FAILED);
    assertThat(failed.clusters).isEmpty();
    assertThat(failed.steps).containsOnlyOnce("SubmitVersionJob");

    ApplicationModel corrected =
        run(
            "w1b",
            model -> model.change(ModelSpec.FIRST.works(Works.REFUSED)),
            3,
            ApplicationAct.NEWER);
    assertThat(corrected.record.phase()).isEqualTo(ApplicationPhase.RUNNING);
  }

  @Test
  void w2AFailureBeforeDoesNotCountAgainstTheRollback() {
    ApplicationModel model = deployed("w2", NEXT.works(Works.FAILS));

    assertThat(model.record.phase()).isEqualTo(ApplicationPhase.DEPLOY_FAILED);
    assertThat(deployedJob(model).isLive()).isTrue();
    assertThat(model.lastMessage()).contains("does not run", "runs again");
  }

  @Test
  void w6ASpecThatHasFailedIsNotTriedAgainByItselfButIsWhenAskedFor() {
    ApplicationModel model = deployed("w6", NEXT.works(Works.FAILS));

    assertThat(model.steps).containsOnlyOnce("FreezeVersion");
    assertThat(model.record.hashes().failed()).isEqualTo(NEXT.hash());

    ApplicationModel reverted =
        run("w6b", it -> scenario("dual-failed-before-reverted").setup().accept(it));
    assertThat(reverted.record.phase()).isEqualTo(ApplicationPhase.RUNNING);
    assertThat(reverted.record.hashes().failed()).isNull();
    assertThat(reverted.steps).doesNotContain("FreezeVersion");
  }

  @Test
  void w7AJobThatItsJobManagerHasLostIsStartedAgainFromItsNewestState() {
    ApplicationModel model = run("w7", it -> scenario("recover").setup().accept(it));

    assertThat(model.record.phase()).isEqualTo(ApplicationPhase.RUNNING);
    assertThat(deployedJob(model).from).isInstanceOf(StateRef.Checkpoint.class);
    assertThat(deployedJob(model).records).isGreaterThan(100);
  }

  @Test
  void w8TheOldJobStartsOnlyAfterTheNewOneIsGoneFromTheRecordedState() {
    ApplicationModel model = deployed("w8", NEXT.works(Works.NEVER_UP));

    assertThat(model.live()).containsExactly(deployedJob(model));
    assertThat(deployedJob(model).from).isInstanceOf(StateRef.Savepoint.class);
    assertThat(model.steps.indexOf("DeleteVersion"))
        .isLessThan(model.steps.lastIndexOf("SubmitVersionJob"));
  }

  @Test
  void w9ALostAnswerOfASubmissionStartsNoSecondJob() {
    ApplicationModel straight = deployed("w9", NEXT);
    int submits = straight.steps.indexOf("SubmitVersionJob") + 1;

    ApplicationModel model =
        run(
            "w9b",
            it -> {
              it.deployed();
              it.change(NEXT);
            },
            submits,
            ApplicationAct.CRASH);

    assertThat(model.allJobs).hasSize(2);
    assertThat(model.steps).filteredOn("SubmitVersionJob"::equals).hasSize(2);
  }

  @Test
  void w10ADeletionEndsWhereNoSavepointCanBeTaken() {
    ApplicationCase run =
        new ApplicationCase(
            workers, scenario("deleted-savepoint-fails"), 0, false, ApplicationAct.CRASH);
    assertThat(run.run(null)).isEmpty();

    ApplicationModel model = run.model;
    assertThat(model.exists).isFalse();
    assertThat(model.steps).filteredOn("TakeVersionSavepoint"::equals).hasSize(3);
    assertThat(model.lastMessage()).contains("No savepoint", "the directory refuses");
  }

  @Test
  void w10ADeletionTellsWhereTheFinalSavepointIs() {
    ApplicationCase run =
        new ApplicationCase(workers, scenario("deleted"), 0, false, ApplicationAct.CRASH);
    assertThat(run.run(null)).isEmpty();

    assertThat(run.model.lastMessage()).contains("The final savepoint", "sp-");
  }

  @Test
  void w10ADeletionWhoseSavepointFailsTellsFromWhichCheckpointTheJobCanBeStartedAgain() {
    ApplicationModel model = deleted("deleted-savepoint-fails");

    assertThat(model.lastMessage())
        .contains("the directory refuses", "can be started again from checkpoint chk-aaaaaa-");
  }

  @Test
  void w10ADeletionThatOnlyCancelsTellsItToo() {
    assertThat(deleted("deleted-force").lastMessage())
        .contains("can be started again from checkpoint chk-aaaaaa-");
  }

  @Test
  void w10ADeletionOfWhatHasLostItsJobTellsItToo() {
    assertThat(deleted("deleted-while-lost").lastMessage())
        .contains("can be started again from checkpoint chk-aaaaaa-");
  }

  @Test
  void w10ADeletionWhoseJobManagerIsSilentTellsItOnceTheClusterIsGone() {
    ApplicationModel model = deleted("deleted-while-silent");

    assertThat(model.steps).containsSubsequence("DeleteVersion", "FindVersionState");
    assertThat(model.lastMessage())
        .contains("does not answer", "can be started again from checkpoint chk-aaaaaa-");
  }

  @Test
  void aDeletionBeforeTheTakeoverTakesOverFirstAndThenTheFinalSavepoint() {
    ApplicationModel model = deleted("deleted-before-adoption");

    assertThat(model.steps).containsSubsequence("AdoptVersion", "TakeVersionSavepoint");
    assertThat(model.lastMessage()).contains("The final savepoint of app-0a1b2c3d is sp-");
    assertThat(model.clusters).isEmpty();
  }

  @Test
  void aDeletionAfterTheClusterOfLyftsOperatorSaysThatThereIsNothingToTakeASavepointOf() {
    assertThat(deleted("deleted-after-lyfts-cluster").lastMessage())
        .contains(
            "No savepoint of 0a1b2c3d of Lyft's operator: its Deployments are not both there");
  }

  private ApplicationModel deleted(String name) {
    ApplicationCase run =
        new ApplicationCase(workers, scenario(name), 0, false, ApplicationAct.CRASH);
    assertThat(run.run(null)).isEmpty();
    return run.model;
  }

  @Test
  void w12TheNewVersionTakesOverByItselfWhenItHasProvedItself() {
    ApplicationModel model = run("w12", it -> scenario("bg-promotes").setup().accept(it));

    assertThat(model.record.phase()).isEqualTo(ApplicationPhase.RUNNING);
    assertThat(Objects.requireNonNull(model.record.deployed()).hash()).isEqualTo(NEXT.hash());
    assertThat(model.record.hashes().tornDown()).isEqualTo(ModelSpec.FIRST.hash());
  }

  @Test
  void w12ASpecThatCameWhileBothRanIsDeployedAfterTheTearDown() {
    ApplicationModel model = run("w12b", it -> scenario("bg-tear-down-pending").setup().accept(it));

    assertThat(model.record.phase()).isEqualTo(ApplicationPhase.DUAL_RUNNING);
    assertThat(Objects.requireNonNull(model.record.target()).hash())
        .isEqualTo(NEXT.image(3).hash());
  }

  @Test
  void w13ARunningApplicationStartsFromTheSavepointThatIsNamed() {
    ApplicationModel model = deployed("w13", NEXT.redeployed(ModelWorld.NAMED));

    assertThat(deployedJob(model).from).isEqualTo(new StateRef.Savepoint(ModelWorld.NAMED));
  }

  @Test
  void w15AFailureOfTheVersionBesideLeavesTheOldOneAlone() {
    ApplicationModel model = run("w15", it -> scenario("bg-fails").setup().accept(it));

    assertThat(model.record.phase()).isEqualTo(ApplicationPhase.DEPLOY_FAILED);
    assertThat(deployedJob(model).id).isEqualTo("a".repeat(32));
    assertThat(deployedJob(model).isLive()).isTrue();
  }

  @Test
  void w15ADeletionEndsTheJobsOfBothVersions() {
    ApplicationModel model = deleted("deleted-both-force");

    assertThat(model.allJobs.values())
        .extracting(job -> job.id.charAt(0) + " " + job.state)
        .containsExactlyInAnyOrder("a CANCELED", "c CANCELED");
    assertThat(model.steps).filteredOn("CancelVersionJob"::equals).hasSize(2);
  }

  @Test
  void w18AJobThatFinishesIsDeployed() {
    ApplicationModel model = deployed("w18", NEXT.works(Works.FINISHES));

    assertThat(model.record.phase()).isEqualTo(ApplicationPhase.RUNNING);
    assertThat(model.operation()).isEqualTo(OperationState.SUCCEEDED);
  }

  @Test
  void w24AnAdoptedApplicationIsNotRestarted() {
    ApplicationModel model = run("w24", it -> scenario("adopted").setup().accept(it));

    assertThat(model.steps).doesNotContain("CreateVersion", "SubmitVersionJob");
    assertThat(deployedJob(model).isLive()).isTrue();
  }

  private static ApplicationScenario scenario(String name) {
    return ApplicationScenario.named(name);
  }

  private static ModelJob deployedJob(ApplicationModel model) {
    return Objects.requireNonNull(model.job(model.record.deployed()));
  }

  private ApplicationModel deployed(String name, ModelSpec next) {
    return run(
        name,
        model -> {
          model.deployed();
          model.change(next);
        });
  }

  private ApplicationModel run(String name, Consumer<ApplicationModel> setup) {
    return run(name, setup, 0, ApplicationAct.CRASH);
  }

  private ApplicationModel run(
      String name, Consumer<ApplicationModel> setup, int at, ApplicationAct act) {
    ApplicationCase run =
        new ApplicationCase(workers, ApplicationScenario.of(name, setup), at, true, act);
    assertThat(run.run(null)).isEmpty();
    return run.model;
  }
}
