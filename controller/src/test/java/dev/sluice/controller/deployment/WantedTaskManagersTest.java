package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.ClusterSize;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import dev.sluice.api.deployment.ReactiveMode;
import dev.sluice.api.deployment.TaskManagerSpec;
import dev.sluice.controller.status.OperationWords;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How many TaskManagers a job in reactive mode is to have, and when that is changed. */
class WantedTaskManagersTest {

  @Test
  void theNewestSpecSaysHowManyTaskManagers() {
    assertThat(wanted(running(1).spec(reactive(5)))).contains(5);
  }

  @Test
  void aStandaloneSessionClusterHasAsManyAsTheNewestSpecSays() {
    assertThat(wanted(Deployed.running().spec(session(2)).frozen(6).stable(6).spec(session(5))))
        .contains(5);
  }

  @Test
  void theyHaveTheSlotsOfTheDefaultsThatTheJobWasDeployedWith() {
    FlinkDeploymentSpec spec = withoutSlots(8);
    FrozenSpec frozen =
        new FrozenSpec(
            spec, 6, false, FlinkConfiguration.of(Map.of(ClusterSize.SLOTS, "4", "a", "b")));

    assertThat(wanted(frozen(running(1).spec(spec), frozen))).contains(2);
  }

  @Test
  void theyHaveTheSlotsOfTheSpecThatRunsAfterAnotherOneWasGivenUp() {
    FlinkDeploymentSpec stable = configured(withoutSlots(3), ClusterSize.SLOTS, "2");
    FlinkDeploymentSpec bad =
        configured(withoutSlots(8), ClusterSize.SLOTS, "4").withImage("flink:bad");

    assertThat(wanted(rolledBack(stable, bad))).contains(4);
  }

  @Test
  void anOperationThatIsAtWorkDecidesAlone() {
    Deployed upgrading =
        running(1)
            .reconciliation(ReconciliationState.UPGRADING)
            .operation(OperationType.UPGRADE, OperationState.RUNNING, 5L, 6);

    assertThat(wanted(upgrading.spec(reactive(5)))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"FINISHED", "FAILED", "CANCELED"})
  void aJobThatHasEndedIsNotScaled(FlinkJobState state) {
    assertThat(wanted(running(1).spec(reactive(5)).job(state, false))).isEmpty();
    assertThat(wanted(running(1).spec(reactive(5)).endedForGood(state))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATED", "RESTARTING", "FAILING", "RUNNING"})
  void oneThatWaitsForSlotsIs(FlinkJobState state) {
    assertThat(wanted(running(1).spec(reactive(5)).job(state, false))).contains(5);
  }

  @Test
  void oneThatRunsAgainAfterItsEndWasRecordedIs() {
    assertThat(
            wanted(
                running(1)
                    .spec(reactive(5))
                    .ended(FlinkJobState.FAILED)
                    .job(FlinkJobState.RUNNING, true)))
        .contains(5);
  }

  @Test
  void withoutReactiveModeAnotherNumberIsLikeAnyOtherChange() {
    FlinkDeploymentSpec stable = DeployedSpec.valid();

    assertThat(
            OperationWords.givenUpMessage(
                rolledBack(stable, stable.withImage("flink:bad")).snapshot()))
        .endsWith("to try this one again.]");
    assertThat(OperationWords.givenUpMessage(rolledBack(stable, bad()).snapshot()))
        .endsWith("to try this one again.]");
  }

  private static FlinkDeploymentSpec session(int taskManagers) {
    FlinkDeploymentSpec reactive = reactive(taskManagers);
    return reactive
        .withJob(null)
        .withConfiguration(reactive.configuration().without(ReactiveMode.KEY));
  }

  private static Optional<Integer> wanted(Deployed given) {
    return WantedTaskManagers.of(given.snapshot());
  }

  private static Deployed running(int taskManagers) {
    return Deployed.running().spec(reactive(taskManagers)).frozen(6).stable(6);
  }

  private static Deployed rolledBack(FlinkDeploymentSpec stable, FlinkDeploymentSpec newest) {
    return Deployed.running()
        .spec(stable)
        .frozen(6)
        .stable(6)
        .reconciliation(ReconciliationState.ROLLED_BACK)
        .operation(OperationType.ROLLBACK, OperationState.SUCCEEDED, 7L, 6)
        .generation(7)
        .spec(newest);
  }

  private static Deployed frozen(Deployed given, FrozenSpec frozen) {
    FlinkDeploymentStatus status = given.resource().getStatus();
    return given.status(
        status.withReconciliationStatus(
            status.reconciliationStatus().withLastReconciledSpec(frozen.toJson())));
  }

  private static FlinkDeploymentSpec bad() {
    return reactive(5).withImage("flink:bad");
  }

  private static FlinkDeploymentSpec reactive(Integer taskManagers) {
    FlinkDeploymentSpec spec = DeployedSpec.valid();
    TaskManagerSpec each = spec.taskManager();
    return configured(spec, "scheduler-mode", "reactive")
        .withMode(KubernetesDeploymentMode.STANDALONE)
        .withTaskManager(
            new TaskManagerSpec(
                each.resource(), each.resources(), taskManagers, each.podTemplate()));
  }

  private static FlinkDeploymentSpec withoutSlots(int parallelism) {
    return reactive(null)
        .withConfiguration(
            FlinkConfiguration.of(
                Map.of(
                    "scheduler-mode", "reactive",
                    "state.savepoints.dir", "file:///state/savepoints",
                    "state.checkpoints.dir", "file:///state/checkpoints")))
        .withJob(
            JobSpec.of("local:///opt/flink/usrlib/job.jar", parallelism, UpgradeMode.SAVEPOINT));
  }

  private static FlinkDeploymentSpec configured(
      FlinkDeploymentSpec spec, String key, String value) {
    return spec.withConfiguration(spec.configuration().withAll(Map.of(key, value)));
  }
}
