package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.Labels;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From a spec to a run and a status. */
class FlinkDeploymentReconcilerIT extends ReconcilerScenario {

  @Test
  void a_new_resource_gets_its_finalizer_alone_and_starts_Deploy_on_its_lane() {
    create(DeployedSpec.valid());
    Object before = raw().getAdditionalProperties().get("spec");

    soon().until(() -> temporal.signals(lane()).equals(List.of("retarget 1")));

    assertThat(isOpen("Deploy")).isTrue();
    assertThat(temporal.summaries()).containsExactly("deploy " + namespace + "/orders 1");
    assertThat(resource().getMetadata().getFinalizers()).contains(FlinkDeployment.FINALIZER);
    assertThat(raw().getAdditionalProperties().get("spec")).isEqualTo(before);
    String uid = api.client().namespaces().withName("kube-system").get().getMetadata().getUid();
    assertThat(temporal.input(lane()).resource().kubernetes()).isEqualTo(uid);
    assertThat(temporal.taskQueue(lane())).isEqualTo("sluice-" + uid);
  }

  @Test
  void a_changed_spec_is_told_to_the_run_that_is_open() {
    create(DeployedSpec.valid());
    soon().until(() -> temporal.signals(lane()).equals(List.of("retarget 1")));

    image("flink:2.2");

    soon()
        .untilAsserted(
            () -> assertThat(temporal.signals(lane())).containsExactly("retarget 1", "retarget 2"));
    assertThat(temporal.run(lane()).orElseThrow().getWorkflowType()).isEqualTo("Deploy");
  }

  @Test
  void what_an_operation_decided_is_told_once_also_over_a_restart_of_the_controller() {
    given_generation_1_is_deployed();
    image("flink:2.2");
    soon().until(() -> isOpen("Upgrade"));
    workflowSays(OperationType.UPGRADE, OperationState.RUNNING, 2, ReconciliationState.UPGRADING);
    soon().until(() -> events("SpecChanged").size() == 2);

    restartController();
    workflowSays(OperationType.UPGRADE, OperationState.SUCCEEDED, 2, ReconciliationState.DEPLOYED);
    soon().until(() -> condition("Ready").equals("True/UpToDate/2"));
    int asked = flink.jobsAsked();
    soon().until(() -> flink.jobsAsked() > asked + 5);

    assertThat(events("SpecChanged"))
        .hasSize(2)
        .allSatisfy(event -> assertThat(event.getCount()).isEqualTo(1));
  }

  @Test
  void nothing_is_written_while_nothing_changes_however_often_Flink_is_asked() {
    given_generation_1_is_deployed();
    given_the_controller_is_at_rest();
    int asked = flink.jobsAsked();

    soon().until(() -> flink.jobsAsked() > asked + 20);

    assertThat(controller.writes()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {FlinkDeployment.KIND, FlinkSessionJob.KIND})
  void a_canary_of_Apaches_operator_needs_no_spec_and_is_acknowledged_alone(String kind) {
    Resource<GenericKubernetesResource> canary =
        api.client()
            .genericKubernetesResources(FlinkDeployment.API_VERSION, kind)
            .inNamespace(namespace)
            .resource(
                new GenericKubernetesResourceBuilder()
                    .withApiVersion(FlinkDeployment.API_VERSION)
                    .withKind(kind)
                    .withNewMetadata()
                    .withName("canary")
                    .addToLabels(Labels.CANARY, "true")
                    .endMetadata()
                    .build());
    canary.create();

    soon().until(() -> Map.of("observedGeneration", 1).equals(canary.get().get("status")));

    canary.delete();
    soon().until(() -> canary.get() == null);
    assertThat(temporal.summaries()).isEmpty();
  }

  @Test
  void a_spec_that_was_there_cannot_be_removed() {
    create(DeployedSpec.valid());
    soon().until(() -> isOpen("Deploy"));
    GenericKubernetesResource without = raw();
    without.getAdditionalProperties().remove("spec");

    assertThatThrownBy(() -> api.client().resource(without).update())
        .hasMessageContaining("spec: cannot be removed");
  }

  @Test
  void an_invalid_spec_starts_nothing_and_says_which_field() {
    given_generation_1_is_deployed();

    merge("{\"spec\":{\"flinkConfiguration\":null}}");

    soon().until(() -> condition("Stalled").equals("True/InvalidSpec/2"));
    assertThat(condition("Ready")).isEqualTo("False/InvalidSpec/2");
    assertThat(condition("Running")).isEqualTo("True/Running/2");
    soon()
        .untilAsserted(
            () ->
                assertThat(events("ValidationError"))
                    .singleElement()
                    .satisfies(
                        event ->
                            assertThat(event.getMessage()).contains("spec.flinkConfiguration")));
    assertThat(temporal.run(lane()).orElseThrow().getStatus())
        .isNotEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING);
  }

  @Test
  void a_deletion_goes_through_Delete_and_ends_when_the_operation_says_so() {
    given_generation_1_is_deployed();

    api.client().resource(resource()).delete();
    soon().until(() -> isOpen("Delete"));
    assertThat(temporal.signals(lane())).containsExactly("delete");
    assertThat(resource()).isNotNull();
    workflowSays(OperationType.DELETE, OperationState.SUCCEEDED, 1, ReconciliationState.DEPLOYED);

    soon().until(() -> resource() == null);
  }

  @Test
  void a_resource_that_never_was_valid_goes_at_once_even_without_Temporal() {
    create(DeployedSpec.valid().withFlinkConfiguration(null));
    soon().until(() -> condition("Stalled").startsWith("True/InvalidSpec"));
    temporal.away(true);

    api.client().resource(resource()).delete();

    soon().until(() -> resource() == null);
  }

  @Test
  void force_lets_a_resource_go_while_Temporal_is_away() {
    given_generation_1_is_deployed();
    temporal.away(true);
    api.client().resource(resource()).delete();
    soon().until(() -> condition("Progressing").equals("Unknown/TemporalUnavailable/2"));

    annotate("sluice.dev/force-delete", "true");

    soon().until(() -> resource() == null);
    assertThat(events("CleanupFailed")).hasSize(1);
  }

  @Test
  void Temporal_being_away_shows_and_work_goes_on_when_it_is_back() {
    given_generation_1_is_deployed();
    temporal.away(true);

    image("flink:2.2");
    soon().until(() -> condition("Progressing").equals("Unknown/TemporalUnavailable/2"));
    soon().until(() -> condition("Running").equals("True/Running/2"));
    temporal.away(false);

    soon().until(() -> isOpen("Upgrade"));
    soon().until(() -> condition("Progressing").equals("True/Upgrading/2"));
  }

  @Test
  void a_change_in_ignored_fields_during_an_operation_starts_and_tells_nothing() {
    create(DeployedSpec.valid());
    soon().until(() -> temporal.signals(lane()).equals(List.of("retarget 1")));
    workflowSays(OperationType.DEPLOY, OperationState.RUNNING, 1, ReconciliationState.UPGRADING);

    merge(
        "{\"spec\":{\"flinkConfiguration\":{\"kubernetes.operator.reconcile.interval\":\"7 s\"}}}");
    soon().until(() -> condition("Progressing").equals("True/Deploying/2"));
    restartController();
    soon().until(() -> resource().getStatus().observedGeneration() == 2);

    assertThat(temporal.signals(lane())).containsExactly("retarget 1");
  }

  @Test
  void a_job_that_fails_is_told_with_its_root_cause_once() {
    given_generation_1_is_deployed();

    flink.job(JOB_ID, FlinkJobState.FAILED, 0, 3).failsBecause("IllegalStateException", "boom");

    soon().until(() -> message("Running").contains("IllegalStateException: boom"));
    assertThat(resource().getStatus().error()).contains("IllegalStateException: boom");
    // written after the status
    soon().until(() -> events("JobStatusChanged").size() == 1);
    restartController();
    int asked = flink.jobsAsked();
    soon().until(() -> flink.jobsAsked() > asked + 5);
    assertThat(events("JobStatusChanged"))
        .singleElement()
        .satisfies(event -> assertThat(event.getMessage()).contains("boom"));
  }

  @Test
  void what_a_job_restarts_with_is_told_once_also_over_a_restart_of_the_controller() {
    given_generation_1_is_deployed();

    flink
        .job(JOB_ID, FlinkJobState.RESTARTING, 0, 3)
        .failsBecause(Instant.now(), "IOException", "disk full");
    soon().until(() -> events("JobException").size() == 1);
    soon().until(() -> message("Ready").contains("IOException: disk full"));
    int asked = flink.causesAsked();
    restartController(); // it may ask once before this returns, and has no reason to ask again
    soon().until(() -> flink.causesAsked() > asked);
    int polled = flink.jobsAsked();
    soon().until(() -> flink.jobsAsked() > polled + 5);

    assertThat(events("JobException"))
        .singleElement()
        .satisfies(event -> assertThat(event.getCount()).isEqualTo(1));
  }
}
