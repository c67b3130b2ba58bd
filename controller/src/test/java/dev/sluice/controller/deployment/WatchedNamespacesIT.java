package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.support.ControllerUnderTest;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** SLUICE_WATCH_NAMESPACES and SLUICE_WATCH_NAMESPACE_SELECTOR. */
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

  @Test
  void a_namespace_is_run_from_when_it_gets_the_labels_until_it_loses_them() {
    String later = api.namespace();
    controller.close();
    label(namespace, namespace);
    controller = ControllerUnderTest.startByLabels(api, "run-by=" + namespace, temporal, flink);

    FlinkDeployment waiting = create(later);
    FlinkDeployment always = create(namespace);
    soon().until(() -> isDeploying(always));
    assertThat(now(waiting).getMetadata().getResourceVersion())
        .as("nobody has written to it")
        .isEqualTo(waiting.getMetadata().getResourceVersion());

    label(later, namespace);
    soon().until(() -> isDeploying(waiting));
    soon().until(() -> shownGeneration(waiting) == 1);

    label(later, null);
    soon().until(() -> !controller.watches(later));
    changeSpec(waiting);
    changeSpec(always);
    soon().until(() -> shownGeneration(always) == 2);
    assertThat(shownGeneration(waiting)).isEqualTo(1);
    assertThat(temporal.run(lane(waiting))).as("goes on to its end").isPresent();

    label(later, namespace);
    soon().until(() -> shownGeneration(waiting) == 2);
  }

  /**
   * @param value null to remove it
   */
  private void label(String where, @Nullable String value) {
    String quoted = value == null ? null : '"' + value + '"';
    api.client()
        .namespaces()
        .withName(where)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\":{\"labels\":{\"run-by\":%s}}}".formatted(quoted));
  }

  private void changeSpec(FlinkDeployment created) {
    api.client()
        .resource(created)
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"image\":\"other:1\"}}");
  }

  private long shownGeneration(FlinkDeployment created) {
    return now(created)
        .getStatus()
        .condition(ConditionTypes.READY)
        .map(Condition::getObservedGeneration)
        .orElse(0L);
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
