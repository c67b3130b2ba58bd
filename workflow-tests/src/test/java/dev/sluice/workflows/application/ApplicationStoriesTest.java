package dev.sluice.workflows.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.application.ApplicationRecord.Trigger;
import dev.sluice.workflows.application.ModelSpec.Works;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.simulation.WorkflowWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of an application where several things come together. */
class ApplicationStoriesTest {

  private static final ModelSpec NEXT = ModelSpec.FIRST.image(2);

  private final WorkflowWorker workers = EveryApplicationFaultTest.workers();

  @AfterEach
  void end() {
    workers.close();
  }

  @Test
  void aNewerSpecStartsFromAJobThatRunsThoughItsServiceIsRefused() {
    ApplicationStory story =
        new ApplicationStory(
            workers,
            "newer-at-cut-over",
            model -> {
              model.deployed();
              model.serviceRefused = true;
              model.change(NEXT);
            });
    ModelJob[] ofNext = new ModelJob[1];
    story
        .before(
            "CutOver",
            3,
            () -> {
              ofNext[0] = story.model.job(story.model.record.target());
              story.lane.change(NEXT.image(3));
            })
        .before("CutOver", 12, () -> story.model.serviceRefused = false)
        .untilRest();

    assertThat(story.model.record.phase()).isEqualTo(ApplicationPhase.RUNNING);
    assertThat(story.job().spec).isEqualTo(NEXT.image(3));
    assertThat(story.job().from).isEqualTo(new StateRef.Savepoint(ofNext[0].newest));
  }

  @Test
  void anAbortComesTooLateForAJobThatRunsThoughItsServiceIsRefused() {
    ApplicationStory story =
        new ApplicationStory(
            workers,
            "abort-at-cut-over",
            model -> {
              model.deployed();
              model.serviceRefused = true;
              model.change(NEXT);
            });
    story
        .before("CutOver", 3, story.lane::abort)
        .before("CutOver", 12, () -> story.model.serviceRefused = false)
        .untilRest();

    assertThat(story.model.record.phase()).isEqualTo(ApplicationPhase.RUNNING);
    assertThat(story.job().spec).isEqualTo(NEXT);
  }

  @Test
  void theNewerOfTwoVersionsIsNotRemovedBecauseItsJobCannotBeStartedAgain() {
    ApplicationStory story =
        new ApplicationStory(
            workers,
            "recover-new",
            model -> {
              ApplicationScenario.newLost(model);
              model.specs.put(2L, NEXT.blueGreen().works(Works.REFUSED));
            });
    story.untilRest();

    assertThat(story.lane.isOpen()).isTrue();
    assertThat(story.model.operation()).isEqualTo(OperationState.PARKED);
    assertThat(story.model.clusters).hasSize(2);

    story.model.specs.put(2L, NEXT.blueGreen());
    story.helped();

    assertThat(story.model.record.phase()).isEqualTo(ApplicationPhase.DUAL_RUNNING);
    assertThat(story.model.live()).hasSize(2);
  }

  @Test
  void aJobThatHasFinishedIsNotStartedAgainByAChangeWithoutPartInTheHash() {
    ApplicationStory story =
        new ApplicationStory(
            workers,
            "finished",
            model -> {
              ApplicationScenario.finishedAndForgotten(model);
              model.change(ModelSpec.FIRST.fallsBack());
            });
    story.untilRest();

    assertThat(story.model.record.settledGeneration()).isEqualTo(2);
    assertThat(story.model.steps).doesNotContain("SubmitVersionJob");
  }

  /** The wait for the cluster sees what the look after it does not. */
  @Test
  void aWaitThatEndsAtOnceIsNotRepeatedAtOnceThoughARetryWasRequested() {
    ApplicationStory story =
        new ApplicationStory(
            workers,
            "same-again",
            model -> {
              model.deployed();
              model.change(NEXT);
            });
    List<Long> waits = new ArrayList<>();
    story.model.script =
        (call, step, after) -> {
          if (step.equals("AwaitVersion") && after && waits.size() < 6) {
            waits.add(story.model.clock.getAsLong());
            story.lane.temporal().signal(LaneSignals.RETRY);
            Objects.requireNonNull(story.model.cluster(story.model.record.target())).starting = 9;
          }
        };
    story.untilRest();

    assertThat(waits).hasSize(6);
    assertThat(waits.get(5) - waits.get(0)).isGreaterThanOrEqualTo(2_000);
    assertThat(story.job().spec).isEqualTo(NEXT);
  }

  @Test
  void aJobThatItsJobManagerComesDownWithIsRolledBack() {
    for (Works works : List.of(Works.CRASHES, Works.NEVER_TOLD)) {
      ApplicationStory story =
          new ApplicationStory(
              workers,
              works.toString().toLowerCase(Locale.ROOT).replace('_', '-'),
              model -> {
                model.deployed();
                model.change(NEXT.works(works));
              });
      story.untilRest();

      assertThat(story.model.record.phase()).isEqualTo(ApplicationPhase.DEPLOY_FAILED);
      assertThat(story.job().spec).isEqualTo(ModelSpec.FIRST);
      assertThat(story.job().isLive()).isTrue();
    }
  }

  /** The spec comes while nothing is held, and is not new any more when something is. */
  @Test
  void aRollBackToAClusterThatNeverComesUpIsLeftForANewerSpec() {
    ApplicationStory story =
        new ApplicationStory(
            workers,
            "roll-back-left",
            model -> {
              model.deployed();
              model.change(NEXT.works(Works.FAILS));
            });
    story
        .before(
            "AwaitVersionJob",
            1,
            () -> {
              story.model.removed(story.model.record.deployed());
              story.model.specs.put(1L, ModelSpec.FIRST.works(Works.CLUSTER_NEVER));
            })
        .before("CreateVersion", 2, () -> story.lane.change(NEXT.image(3)))
        .untilRest();

    assertThat(story.model.record.phase()).isEqualTo(ApplicationPhase.RUNNING);
    assertThat(story.job().spec).isEqualTo(NEXT.image(3));
    assertThat(story.job().from).isInstanceOf(StateRef.Savepoint.class);
  }

  @Test
  void aRecoveryThatFindsNoStateIsLeftForANewerSpecThatNamesOne() {
    ApplicationStory story =
        new ApplicationStory(workers, "recovery-left", ApplicationScenario::lostForGood);
    story
        .before(
            "ObserveApplication",
            3,
            () -> story.lane.change(ModelSpec.FIRST.redeployed(ModelWorld.NAMED)))
        .untilRest();

    assertThat(story.model.record.phase()).isEqualTo(ApplicationPhase.RUNNING);
    assertThat(story.job().from).isEqualTo(new StateRef.Savepoint(ModelWorld.NAMED));
  }

  @Test
  void aDeletionTellsOfTheJobsThatOthersHaveSubmitted() {
    ApplicationStory story =
        new ApplicationStory(
            workers,
            "deleted-others",
            model -> {
              model.deployed();
              Objects.requireNonNull(model.cluster(model.record.deployed())).others = 1;
            });
    story.lane.delete();
    story.untilRest();

    assertThat(story.model.exists).isFalse();
    assertThat(story.model.lastMessage()).contains("other-0", "The final savepoint");
  }

  /** Its job may run: none is started beside it, and it is not deleted. */
  @Test
  void aClusterOfLyftsOperatorThatTheStatusDoesNotNameIsLeftAlone() {
    ApplicationStory story =
        new ApplicationStory(workers, "lyfts-leftover", ApplicationStoriesTest::lyftsLeftover);
    story.untilRest();

    assertThat(story.model.operation()).isEqualTo(OperationState.BLOCKED);
    assertThat(story.model.lastMessage()).contains("app-0a1b2c3d", "status.deployHash");
    assertThat(story.model.live()).hasSize(1);
    assertThat(story.model.steps).doesNotContain("CreateVersion", "DeleteVersion");
  }

  @Test
  void aDeletionTellsOfAClusterThatTheStatusDoesNotName() {
    ApplicationStory story =
        new ApplicationStory(
            workers,
            "lyfts-leftover-deleted",
            model -> {
              lyftsLeftover(model);
              model.deleting = true;
            });
    story.untilRest();

    assertThat(story.model.lastMessage())
        .contains("No savepoint of app-0a1b2c3d of Lyft's operator");
    assertThat(story.model.clusters).isEmpty();
  }

  private static void lyftsLeftover(ApplicationModel model) {
    ApplicationScenario.adopted(model);
    model.lyft = null;
    model.record = ApplicationRecord.NONE.in(ApplicationPhase.SUBMITTING_JOB);
  }

  @Test
  void aSpecThatNamesNoSavepointStartsFromWhatTheOldJobHasLeft() {
    ApplicationStory story =
        new ApplicationStory(
            workers,
            "redeploy-withdrawn",
            model -> {
              model.deployed();
              model.change(NEXT.redeployed(ModelWorld.NAMED).works(Works.NEVER_UP));
            });
    String[] left = new String[1];
    story
        .before(
            "AwaitVersionJob",
            1,
            () -> {
              left[0] =
                  Objects.requireNonNull(story.model.record.start()).leftBefore().pathOrNull();
              story.lane.change(NEXT.image(3));
            })
        .untilRest();

    assertThat(story.job().spec).isEqualTo(NEXT.image(3));
    assertThat(story.job().from.pathOrNull()).isEqualTo(left[0]).isNotEqualTo(ModelWorld.NAMED);
  }

  @Test
  void aSavepointThatAnotherSpecHasNamedIsNotForTheTarget() {
    ApplicationStory story =
        new ApplicationStory(
            workers,
            "redeploy-reverted",
            model -> {
              stopping(model);
              model.change(NEXT.image(3).redeployed(ModelWorld.NAMED));
            });
    story.before("RecordVersions", 1, () -> story.lane.change(NEXT)).untilRest();

    assertThat(story.job().spec).isEqualTo(NEXT);
    assertThat(story.job().from).isInstanceOf(StateRef.Savepoint.class);
    assertThat(story.job().from.pathOrNull()).isNotEqualTo(ModelWorld.NAMED);
  }

  /** The old job is being stopped for the next version, whose cluster is ready. */
  private static void stopping(ApplicationModel model) {
    model.deployed();
    model.change(NEXT);
    VersionRef deployed = Objects.requireNonNull(model.record.deployed());
    VersionRef target = ModelWorld.version(NEXT, model.generation, null);
    ModelCluster cluster = new ModelCluster(target, NEXT.parallelism());
    cluster.starting = 0;
    model.clusters.put(ModelCluster.key(target), cluster);
    model.record =
        model
            .record
            .in(ApplicationPhase.SAVEPOINTING)
            .with(deployed, target)
            .taking(new Trigger("e".repeat(32), Objects.requireNonNull(deployed.jobId()), 1, true));
  }
}
