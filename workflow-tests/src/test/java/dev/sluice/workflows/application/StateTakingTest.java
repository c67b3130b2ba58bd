package dev.sluice.workflows.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.application.ApplicationSeen.LyftLeft;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.simulation.WorkflowWorker;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the job of a version is started from, case by case. */
class StateTakingTest {

  private static final ModelSpec NEXT = ModelSpec.FIRST.image(2);

  private final WorkflowWorker workers = EveryApplicationFaultTest.workers();

  @AfterEach
  void end() {
    workers.close();
  }

  private ApplicationModel deployed(
      String name, Consumer<ApplicationModel> before, ModelSpec next) {
    return run(
        name,
        model -> {
          model.deployed();
          before.accept(model);
          model.change(next);
        });
  }

  private ApplicationModel run(String name, Consumer<ApplicationModel> setup) {
    ApplicationCase run =
        new ApplicationCase(
            workers, ApplicationScenario.of(name, setup), 0, false, ApplicationAct.CRASH);
    assertThat(run.run(null)).isEmpty();
    return run.model;
  }

  private ApplicationCase held(String name, Consumer<ApplicationModel> setup) {
    ApplicationCase run =
        new ApplicationCase(
            workers, ApplicationScenario.of(name, setup), 0, false, ApplicationAct.CRASH);
    run.untilHeld();
    return run;
  }

  private static ModelJob deployedJob(ApplicationModel model) {
    return Objects.requireNonNull(model.job(model.record.deployed()));
  }

  private static void isDeployed(ApplicationModel model, ModelSpec spec) {
    assertThat(model.wasHeld).as(model.lastMessage()).isFalse();
    assertThat(model.record.phase()).isEqualTo(ApplicationPhase.RUNNING);
    assertThat(Objects.requireNonNull(model.record.deployed()).hash()).isEqualTo(spec.hash());
  }

  /** The job {@code aaa..} of generation 1 runs, where one was deployed before. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "first-named,              RUNNING,       2, named",
    "dual-disabled,            RUNNING,       2, nothing",
    "dual-disabled-fails,      DEPLOY_FAILED, 1, nothing",
    // where neither a savepoint nor a checkpoint can be had the old job runs on
    "dual-nothing-kept,        DEPLOY_FAILED, 1, itself",
    "dual-fallback,            RUNNING,       2, nothing",
    "dual-stop-lost,           RUNNING,       2, savepoint",
    "dual-job-finished,        RUNNING,       2, nothing",
    // not from what the newer one was to start from
    "dual-redeploy-fails,      DEPLOY_FAILED, 1, savepoint",
    "adopted-unknown-next,     RUNNING,       2, savepoint",
    "adopted-unknown-disabled, RUNNING,       2, nothing",
  })
  void oneJobRunsFromWhatItsScenarioLeaves(
      String scenario, ApplicationPhase phase, int generation, String from) {
    ApplicationModel model = run("from-" + scenario, ApplicationScenario.named(scenario).setup());

    ModelJob job = deployedJob(model);
    assertThat(model.record.phase()).isEqualTo(phase);
    assertThat(model.wasHeld).isFalse();
    assertThat(model.live()).containsExactly(job);
    assertThat(job.spec).isEqualTo(model.specs.get((long) generation));
    assertThat(WeaknessesTest.from(model)).isEqualTo(from);
  }

  @Test
  void anUpgradeDoesNotStartFromTheSavepointThatIsNamedWithoutANonce() {
    ApplicationModel model =
        deployed(
            "named",
            it -> {},
            NEXT.with(new ApplicationSeen.StatePolicy(false, false, 1, ModelWorld.NAMED, null)));

    isDeployed(model, NEXT);
    assertThat(WeaknessesTest.from(model)).isEqualTo("savepoint");
  }

  @Test
  void noOlderStateTakesThePlaceOfASavepointThatNobodyCanLookFor() {
    ApplicationCase run =
        held(
            "stop-lost-unreadable",
            it -> {
              it.deployed();
              it.stopIsLost = true;
              it.savepointsReadable = false;
              it.change(NEXT.fallsBack());
            });

    assertThat(run.model.operation()).isEqualTo(OperationState.PARKED);
    assertThat(run.model.live()).isEmpty();

    ModelSpec named = NEXT.redeployed(ModelWorld.NAMED);
    run.lane.change(named);
    run.lane.untilRest();
    isDeployed(run.model, named);
    assertThat(deployedJob(run.model).from).isEqualTo(new StateRef.Savepoint(ModelWorld.NAMED));
  }

  @Test
  void theOnlyJobOfAClusterIsKnownAsSoonAsThatIsTakenOver() {
    ApplicationModel model =
        run(
            "adopted",
            it -> {
              ApplicationScenario.adopted(it);
              it.lyft = new LyftLeft("Running", "0a1b2c3d", null, true);
            });

    assertThat(deployedJob(model).isLive()).isTrue();
    assertThat(model.steps).doesNotContain("CreateVersion", "SubmitVersionJob");
  }

  @Test
  void anAdoptedClusterWithoutAJobHasNothingToCancel() {
    ModelSpec next = NEXT.disablesSavepoints();
    ApplicationModel model =
        run(
            "adopted-none",
            it -> {
              ApplicationScenario.adoptedUnknown(it, next);
              it.clusters.values().forEach(ModelCluster::forgets);
            });

    isDeployed(model, next);
  }

  @Test
  void aJobThatComesBackWithItsJobManagerIsCancelledToo() {
    ModelSpec next = NEXT.disablesSavepoints();
    ApplicationModel model =
        run(
            "adopted-late",
            it -> {
              ApplicationScenario.adoptedUnknown(it, next);
              it.highAvailability = true;
              it.clusters.values().forEach(ModelCluster::startsAgain);
            });

    isDeployed(model, next);
    assertThat(model.steps).contains("CancelVersionJob");
    assertThat(model.live()).containsExactly(deployedJob(model));
  }

  @Test
  void theOnlyJobOfTheNewerOfTwoAdoptedVersionsIsKnownToo() {
    ApplicationModel model =
        run(
            "adopted-two",
            it -> {
              ApplicationScenario.bothAdopted(it);
              VersionRef old = Objects.requireNonNull(it.record.deployed());
              it.removed(old);
            });

    assertThat(model.record.phase()).isEqualTo(ApplicationPhase.DUAL_RUNNING);
    assertThat(Objects.requireNonNull(model.record.target()).jobId()).isEqualTo("c".repeat(32));
    assertThat(deployedJob(model).isLive()).isTrue();
  }

  @Test
  void ofSeveralJobsOfAnAdoptedClusterNoneIsTouched() {
    ApplicationCase run =
        held(
            "adopted-several",
            it -> {
              ApplicationScenario.adoptedUnknown(it, NEXT);
              ModelJob other =
                  new ModelJob(
                      "d".repeat(32), "elsewhere", new StateRef.Empty("first"), NEXT, it.storage);
              it.clusters.values().iterator().next().jobs.put(other.id, other);
            });

    assertThat(run.model.lastMessage()).contains("b".repeat(32), "d".repeat(32));
    assertThat(run.model.steps).doesNotContain("CancelVersionJob", "TakeVersionSavepoint");
  }

  @Test
  void aNonceThatWasUsedDoesNotCountForTheNextSpec() {
    ModelSpec failing = NEXT.redeployed(ModelWorld.NAMED).works(ModelSpec.Works.FAILS);
    ModelSpec next = failing.image(3).works(ModelSpec.Works.WELL);
    ApplicationCase run =
        new ApplicationCase(
            workers,
            ApplicationScenario.of(
                "redeploy-used",
                it -> {
                  it.deployed();
                  it.change(failing);
                }),
            0,
            false,
            ApplicationAct.CRASH);
    assertThat(run.run(null)).isEmpty();
    run.lane.change(next);
    run.untilRest();

    isDeployed(run.model, next);
    assertThat(deployedJob(run.model).from.pathOrNull()).isNotEqualTo(ModelWorld.NAMED);
  }
}
