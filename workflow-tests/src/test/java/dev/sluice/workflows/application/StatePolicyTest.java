package dev.sluice.workflows.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.application.ModelSpec.Works;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.simulation.WorkflowWorker;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the fields of the spec say of the state that a new version starts from. */
class StatePolicyTest {

  private static final ModelSpec NEXT = ModelSpec.FIRST.image(2);
  private static final String OLD = "a".repeat(32);

  private final WorkflowWorker workers = EveryApplicationFaultTest.workers();

  @AfterEach
  void end() {
    workers.close();
  }

  private ApplicationModel deployed(
      String name, Consumer<ApplicationModel> before, ModelSpec next) {
    ApplicationStory story =
        new ApplicationStory(
            workers,
            name,
            model -> {
              model.deployed();
              before.accept(model);
              model.change(next);
            });
    story.untilRest();
    return story.model;
  }

  private static ModelJob deployedJob(ApplicationModel model) {
    return Objects.requireNonNull(model.job(model.record.deployed()));
  }

  private static ModelJob old(ApplicationModel model) {
    return Objects.requireNonNull(model.allJobs.get(OLD));
  }

  private static void keepsNothing(ApplicationModel model) {
    model.savepointsFail = true;
    model.checkpointsKept = false;
  }

  @Test
  void withSavepointDisabledTheOldJobIsCancelledAndTheNewOneStartsWithoutState() {
    ApplicationModel model = deployed("disabled", it -> {}, NEXT.disablesSavepoints());

    assertThat(model.record.phase()).isEqualTo(ApplicationPhase.RUNNING);
    assertThat(model.steps)
        .containsSubsequence("CancelVersionJob", "SubmitVersionJob")
        .doesNotContain("TakeVersionSavepoint");
    assertThat(old(model).state).isEqualTo(FlinkJobState.CANCELED);
    assertThat(deployedJob(model).from).isInstanceOf(StateRef.Empty.class);
  }

  @Test
  void withSavepointDisabledARollBackStartsWithoutStateToo() {
    ApplicationModel model =
        deployed("disabled-fails", it -> {}, NEXT.disablesSavepoints().works(Works.FAILS));

    assertThat(model.record.phase()).isEqualTo(ApplicationPhase.DEPLOY_FAILED);
    assertThat(deployedJob(model).spec).isEqualTo(ModelSpec.FIRST);
    assertThat(deployedJob(model).from).isInstanceOf(StateRef.Empty.class);
  }

  @Test
  void whereNeitherASavepointNorACheckpointCanBeHadTheOldJobRunsOn() {
    ApplicationModel model = deployed("nothing", StatePolicyTest::keepsNothing, NEXT);

    assertThat(model.record.phase()).isEqualTo(ApplicationPhase.DEPLOY_FAILED);
    assertThat(deployedJob(model).id).isEqualTo(OLD);
    assertThat(deployedJob(model).isLive()).isTrue();
  }

  @Test
  void withFallbackWithoutStateTheNewJobStartsWithoutStateInstead() {
    ApplicationModel model = deployed("fallback", StatePolicyTest::keepsNothing, NEXT.fallsBack());

    assertThat(model.record.phase()).isEqualTo(ApplicationPhase.RUNNING);
    assertThat(deployedJob(model).from).isInstanceOf(StateRef.Empty.class);
    assertThat(model.live()).containsExactly(deployedJob(model));
  }

  @Test
  void theFirstDeploymentStartsFromTheSavepointThatIsNamed() {
    ApplicationStory story =
        new ApplicationStory(
            workers,
            "first-named",
            model ->
                model.change(
                    ModelSpec.FIRST.with(
                        new ApplicationSeen.StatePolicy(false, false, 1, ModelWorld.NAMED, null))));
    story.untilRest();

    assertThat(story.job().from).isEqualTo(new StateRef.Savepoint(ModelWorld.NAMED));
  }

  @Test
  void anUpgradeDoesNotStartFromTheSavepointThatIsNamedWithoutANonce() {
    ApplicationModel model =
        deployed(
            "named",
            it -> {},
            NEXT.with(new ApplicationSeen.StatePolicy(false, false, 1, ModelWorld.NAMED, null)));

    assertThat(model.record.phase()).isEqualTo(ApplicationPhase.RUNNING);
    assertThat(deployedJob(model).from.pathOrNull()).startsWith("sp-");
    assertThat(deployedJob(model).from).isNotEqualTo(new StateRef.Savepoint(ModelWorld.NAMED));
  }
}
