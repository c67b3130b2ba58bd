package dev.sluice.workflows.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.application.ModelSpec.Works;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.simulation.WorkflowWorker;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of a version of which a part, or its job, is lost. */
class LostPartsTest {

  private static final ModelSpec NEXT = ModelSpec.FIRST.image(2);

  private final WorkflowWorker workers = EveryApplicationFaultTest.workers();

  @AfterEach
  void end() {
    workers.close();
  }

  private static ModelCluster deployedCluster(ApplicationModel model) {
    return Objects.requireNonNull(model.cluster(model.record.deployed()));
  }

  @Test
  void aJobManagerWhoseDeploymentAloneWasDeletedGetsItAgain() {
    ApplicationStory story =
        new ApplicationStory(
            workers,
            "orphaned",
            model -> {
              model.deployed();
              deployedCluster(model).orphaned = true;
            });
    story.untilRest();

    assertThat(story.model.steps).contains("CreateVersion").doesNotContain("SubmitVersionJob");
    assertThat(deployedCluster(story.model).orphaned).isFalse();
    assertThat(story.job().isLive()).isTrue();
  }

  @Test
  void aNewJobWhoseJobManagerHasNoDeploymentGetsItBeforeTheServiceLeadsToIt() {
    ApplicationStory story =
        new ApplicationStory(
            workers,
            "orphaned-new",
            model -> {
              model.deployed();
              model.change(NEXT);
            });
    story
        .before(
            "CutOver",
            1,
            () ->
                Objects.requireNonNull(story.model.cluster(story.model.record.target())).orphaned =
                    true)
        .untilRest();

    assertThat(story.job().spec).isEqualTo(NEXT);
    assertThat(story.job().isLive()).isTrue();
    assertThat(deployedCluster(story.model).orphaned).isFalse();
  }

  /** What it does is not known to anybody else: its state is neither taken nor given up. */
  @Test
  void aJobManagerThatAnswersThoughItsClusterIsGoneIsTold() {
    for (ModelSpec now : List.of(ModelSpec.FIRST, NEXT)) {
      ApplicationStory story =
          new ApplicationStory(
              workers,
              "terminating-" + now.image(),
              model -> {
                model.deployed();
                deployedCluster(model).terminating = true;
                if (now.equals(NEXT)) {
                  model.change(now);
                }
              });
      story.untilRest();

      assertThat(story.model.operation()).isEqualTo(OperationState.BLOCKED);
      assertThat(story.model.lastMessage()).contains("still answers");

      story.model.removed(story.model.record.deployed());
      story.helped();

      assertThat(story.model.record.phase()).isEqualTo(ApplicationPhase.RUNNING);
      assertThat(story.job().spec).isEqualTo(now);
      assertThat(story.job().from).isInstanceOf(StateRef.Checkpoint.class);
    }
  }

  /** The Deployment of its TaskManagers is labelled for the larger version. */
  @Test
  void aRescaleWhoseJobManagerIsDeletedIsRolledBack() {
    ApplicationStory story =
        new ApplicationStory(
            workers,
            "in-place-job-manager",
            model -> {
              model.deployed();
              model.change(ModelSpec.FIRST.parallelism(4).scalesInPlace());
            });
    story
        .before(
            "AwaitVersionJob", 1, () -> story.model.losesJobManager(deployedCluster(story.model)))
        .untilRest();

    assertThat(story.model.record.phase()).isEqualTo(ApplicationPhase.DEPLOY_FAILED);
    assertThat(story.job().spec).isEqualTo(ModelSpec.FIRST);
    assertThat(story.job().from).isInstanceOf(StateRef.Savepoint.class);
    assertThat(story.job().isLive()).isTrue();
  }

  /** Its JobManager goes down after that was said. */
  @Test
  void whatAPersonIsAskedToNameIsTakenThoughTheJobManagerIsDown() {
    for (boolean contradictory : List.of(true, false)) {
      ApplicationStory story =
          new ApplicationStory(
              workers,
              contradictory ? "recovery-down" : "recovery-down-none",
              model -> {
                ApplicationScenario.lostForGood(model);
                model.contradictory = contradictory;
              });
      story
          .before(
              "ObserveApplication",
              3,
              () -> {
                deployedCluster(story.model).down = true;
                story.lane.change(ModelSpec.FIRST.redeployed(ModelWorld.NAMED));
              })
          .untilRest();

      assertThat(story.model.record.phase()).isEqualTo(ApplicationPhase.RUNNING);
      assertThat(story.job().from).isEqualTo(new StateRef.Savepoint(ModelWorld.NAMED));
    }
  }

  /** It is not taken for one that somebody else has submitted. */
  @Test
  void aJobThatWasRestoredFromSomethingElseEndsBeforeItIsStartedAgain() {
    for (boolean rollsBack : List.of(false, true)) {
      ApplicationStory story =
          new ApplicationStory(
              workers,
              "elsewhere-" + rollsBack,
              model -> {
                model.deployed();
                model.specs.put(1L, ModelSpec.FIRST.works(Works.RESTORES_ELSEWHERE));
                if (rollsBack) {
                  model.change(NEXT.works(Works.FAILS));
                } else {
                  deployedCluster(model).forgets();
                }
              });
      story.untilRest();

      assertThat(story.model.operation()).isEqualTo(OperationState.PARKED);
      assertThat(story.model.lastMessage()).contains("restored from sp-0");
      assertThat(story.model.live()).hasSizeLessThan(2);

      story.model.specs.put(1L, ModelSpec.FIRST);
      story.helped();

      assertThat(story.model.isOperationOpen()).as(story.model.lastMessage()).isFalse();
      assertThat(story.model.live()).containsExactly(story.job());
    }
  }

  @Test
  void aJobWithHighAvailabilityComesBackWithItsCluster() {
    ApplicationStory story =
        new ApplicationStory(workers, "available", ApplicationScenario::lostWithHighAvailability);
    story.untilRest();

    assertThat(story.model.steps).contains("CreateVersion").doesNotContain("SubmitVersionJob");
    assertThat(story.job().id).isEqualTo("a".repeat(32));
    assertThat(story.job().isLive()).isTrue();
  }

  @Test
  void taskManagersThatWereDeletedAreMadeAgain() {
    ApplicationStory story =
        new ApplicationStory(workers, "task-managers", ApplicationScenario::withoutTaskManagers);
    story.untilRest();

    assertThat(story.model.steps).contains("CreateVersion").doesNotContain("SubmitVersionJob");
    assertThat(story.job().up).isTrue();
  }
}
