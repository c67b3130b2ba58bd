package dev.sluice.activities.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.manifest.common.ClusterManifests;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.ClusterSize;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import dev.sluice.api.deployment.TaskManagerSpec;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** TaskManagers of a frozen spec may have come and gone since it was frozen. */
class ReactiveDeploymentTest {

  private final FlinkDeploymentSpec reactive =
      standalone()
          .withConfiguration(
              Deployed.SPEC.configuration().withAll(Map.of("scheduler-mode", "reactive")));

  @Test
  void aClusterThatIsMadeAgainHasTheTaskManagersOfTheNewestSpec() {
    FlinkDeployment resource = frozen(with(reactive, 1));
    resource.setSpec(with(reactive, 3).withImage("flink:bad"));

    assertThat(taskManagers(resource).getSpec().getReplicas()).isEqualTo(3);
    assertThat(stored(resource).frozen().orElseThrow().json())
        .isEqualTo(resource.getStatus().reconciliationStatus().lastReconciledSpec());
  }

  @Test
  void aSpecThatIsNotValidDecidesNothing() {
    FlinkDeployment resource = frozen(with(reactive, 1));
    resource.setSpec(with(reactive, 3).withServiceAccount(null));

    assertThat(taskManagers(resource).getSpec().getReplicas()).isEqualTo(1);
  }

  @Test
  void withoutReactiveModeTheFrozenSpecDecides() {
    FlinkDeployment resource = frozen(with(standalone(), 1));
    resource.setSpec(with(standalone(), 3));
    assertThat(taskManagers(resource).getSpec().getReplicas()).isEqualTo(1);

    resource.setSpec(with(reactive, 3));
    assertThat(taskManagers(resource).getSpec().getReplicas()).isEqualTo(1);
  }

  @Test
  void aRollbackMakesAsManyAsTheNewestSpecNeedsWithTheSlotsOfTheSpecThatRuns() {
    FlinkDeployment resource = frozen(slots(reactive, 2).withJob(job(3)));
    resource.setSpec(slots(reactive, 4).withJob(job(8)).withImage("flink:bad"));

    assertThat(taskManagers(resource).getSpec().getReplicas()).isEqualTo(4);
  }

  private static JobSpec job(int parallelism) {
    return JobSpec.of("local:///job.jar", parallelism, UpgradeMode.SAVEPOINT);
  }

  private static FlinkDeploymentSpec slots(FlinkDeploymentSpec spec, int slots) {
    return spec.withConfiguration(
        spec.configuration().withAll(Map.of(ClusterSize.SLOTS, "" + slots)));
  }

  private static FlinkDeploymentSpec standalone() {
    return Deployed.SPEC.withMode(KubernetesDeploymentMode.STANDALONE);
  }

  private static FlinkDeploymentSpec with(FlinkDeploymentSpec spec, int replicas) {
    TaskManagerSpec each = spec.taskManager();
    return spec.withTaskManager(
        new TaskManagerSpec(each.resource(), each.resources(), replicas, each.podTemplate()));
  }

  private static FlinkDeployment frozen(FlinkDeploymentSpec spec) {
    return frozen(new FrozenSpec(spec, 1, false));
  }

  private static FlinkDeployment frozen(FrozenSpec frozen) {
    FlinkDeployment resource = Deployed.orders("shop");
    resource.getMetadata().setGeneration(2L);
    resource.getMetadata().setUid("0a1b2c3d-0000-4000-8000-00000000000e");
    resource.setSpec(frozen.spec());
    resource.setStatus(
        FlinkDeploymentStatus.EMPTY.withReconciliationStatus(
            ReconciliationStatus.EMPTY
                .withState(ReconciliationState.UPGRADING)
                .withLastReconciledSpec(frozen.toJson())));
    return resource;
  }

  private static StoredResource stored(FlinkDeployment resource) {
    return Stored.of(resource);
  }

  private static Deployment taskManagers(FlinkDeployment resource) {
    StoredResource stored = stored(resource);
    ClusterManifests manifests =
        stored
            .frozen()
            .orElseThrow()
            .render(new JobRef(stored.cluster(), Refs.JOB_ID), new StateRef.Empty("a first start"));
    return Objects.requireNonNull(manifests.taskManagers());
  }
}
