package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.support.ControllerUnderTest;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import org.junit.jupiter.api.Test;

/** SLUICE_WATCH_NAMESPACES. */
class WatchedNamespacesIT extends ReconcilerScenario {

  @Test
  void resources_in_each_watched_namespace_are_run_and_others_are_left_alone() {
    String second = api.namespace();
    String unwatched = api.namespace();
    controller.close();
    controller = ControllerUnderTest.start(api, namespace + ", " + second, temporal, flink);

    FlinkDeployment alone = create(unwatched);
    FlinkDeployment first = create(namespace);
    FlinkDeployment other = create(second);

    soon().until(() -> isDeploying(first));
    soon().until(() -> isDeploying(other));
    soon().until(() -> now(other).getStatus().condition(ConditionTypes.READY).isPresent());
    assertThat(temporal.run(lane(alone))).isEmpty();
    assertThat(now(alone).getMetadata().getResourceVersion())
        .as("nobody has written to it")
        .isEqualTo(alone.getMetadata().getResourceVersion());

    api.client().resource(alone).delete();

    soon().until(() -> now(alone) == null);
  }

  private FlinkDeployment create(String where) {
    FlinkDeployment manifest = new FlinkDeployment();
    manifest.setMetadata(new ObjectMetaBuilder().withNamespace(where).withName(NAME).build());
    manifest.setSpec(DeployedSpec.valid());
    return api.client().resource(manifest).create();
  }

  private FlinkDeployment now(FlinkDeployment created) {
    return api.client().resource(created).get();
  }

  private String lane(FlinkDeployment created) {
    return KubernetesCluster.of(api.client()).ref(created).laneId();
  }

  private boolean isDeploying(FlinkDeployment created) {
    return temporal
        .run(lane(created))
        .filter(run -> run.getStatus() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING)
        .filter(run -> run.getWorkflowType().equals("Deploy"))
        .isPresent();
  }
}
