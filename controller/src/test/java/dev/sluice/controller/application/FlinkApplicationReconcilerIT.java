package dev.sluice.controller.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.HealthStatus;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import org.junit.jupiter.api.Test;

/** From the spec of an application to a run and a status. */
class FlinkApplicationReconcilerIT extends ApplicationScenario {

  @Test
  void a_new_resource_gets_its_finalizer_and_starts_a_deployment_on_its_lane() {
    create();

    soon().until(() -> isOpen("DeployApplication"));

    assertThat(temporal.signals(lane())).containsExactly("retarget 1");
    assertThat(temporal.summaries()).contains("deploy " + namespace + "/words 1");
    assertThat(read().getMetadata().getFinalizers()).containsExactly(FlinkApplication.FINALIZER);
    soon().until(() -> condition("Progressing").equals("True/Deploying"));
  }

  @Test
  void cluster_and_job_are_observed_at_the_service_of_the_version() {
    flink.checkpointAt("file:/chk-1");

    given_it_runs();

    soon().until(() -> read().getStatus().clusterStatus().health() == HealthStatus.GREEN);
    var status = read().getStatus();
    assertThat(status.clusterStatus().numberOfTaskSlots()).isEqualTo(4);
    assertThat(status.clusterStatus().availableTaskSlots()).isEqualTo(1);
    soon().until(() -> "file:/chk-1".equals(read().getStatus().jobStatus().lastCheckpoint()));
    assertThat(read().getStatus().jobStatus().jobID()).isEqualTo(JOB);
    assertThat(read().getStatus().jobStatus().health()).isEqualTo(HealthStatus.GREEN);
    assertThat(read().getStatus().phase()).isEqualTo(ApplicationPhase.RUNNING);
    assertThat(condition("Running")).isEqualTo("True/Running");
  }

  /** W7. */
  @Test
  void a_job_manager_that_is_silent_is_told_and_one_that_has_lost_its_job_is_recovered() {
    flink.checkpointAt("file:/chk-1");
    given_it_runs();
    soon().until(() -> "file:/chk-1".equals(read().getStatus().jobStatus().lastCheckpoint()));

    available("jm", 0);
    soon().until(() -> read().getStatus().clusterStatus().health() == HealthStatus.RED);
    soon().until(() -> read().getStatus().jobStatus().health() == HealthStatus.RED);
    assertThat(isOpen("RecoverApplication")).isFalse();

    flink.without(JOB);
    available("jm", 1);
    soon().until(() -> isOpen("RecoverApplication"));
    assertThat(read().getStatus().jobStatus().lastCheckpoint()).isEqualTo("file:/chk-1");
  }

  /** W18. */
  @Test
  void a_job_that_has_finished_is_green_and_not_run_again_when_it_is_forgotten() {
    given_it_runs();
    flink.job(JOB, FlinkJobState.FINISHED, 3, 3);
    soon().until(() -> condition("Ready").equals("True/JobFinished"));
    assertThat(read().getStatus().jobStatus().health()).isEqualTo(HealthStatus.GREEN);

    flink.without(JOB);
    int asked = flink.jobsAsked();
    soon().until(() -> flink.jobsAsked() > asked + 5);

    assertThat(condition("Ready")).isEqualTo("True/JobFinished");
    assertThat(isOpen("RecoverApplication")).isFalse();
  }

  @Test
  void a_changed_spec_starts_a_deployment_and_a_newer_one_is_told_to_it() {
    given_it_runs();

    merge("{\"spec\":{\"restartNonce\":\"a\"}}");
    soon().until(() -> isOpen("DeployApplication"));
    merge("{\"spec\":{\"restartNonce\":\"b\"}}");

    soon().until(() -> temporal.signals(lane()).contains("retarget 3"));
  }

  @Test
  void a_higher_parallelism_in_place_starts_a_rescale() {
    given_it_runs();

    merge("{\"spec\":{\"parallelism\":5,\"scaleMode\":\"InPlace\"}}");

    soon().until(() -> isOpen("RescaleApplication"));
  }

  @Test
  void an_invalid_spec_is_told_with_the_field_and_touches_nothing() {
    given_it_runs();

    merge("{\"spec\":{\"uiPort\":6123}}");

    soon().until(() -> condition("Stalled").equals("True/InvalidSpec"));
    soon().until(() -> !events("ValidationError").isEmpty());
    assertThat(events("ValidationError").get(0).getMessage()).contains("spec.uiPort");
    assertThat(isOpen("DeployApplication")).isFalse();
  }

  @Test
  void requests_in_annotations_reach_the_open_run() {
    create();
    soon().until(() -> isOpen("DeployApplication"));
    soon().until(() -> !condition("Ready").isEmpty());

    merge("{\"metadata\":{\"annotations\":{\"sluice.dev/abort\":\"1\"}}}");

    soon().until(() -> temporal.signals(lane()).stream().anyMatch(it -> it.startsWith("abort")));
    soon().until(() -> !events("RequestSent").isEmpty());
  }

  @Test
  void a_deletion_is_carried_out_by_its_run_and_ends_with_it() {
    given_it_runs();

    api.client().resource(read()).delete();
    soon().until(() -> isOpen("DeleteApplication"));
    assertThat(read()).isNotNull();

    says(ApplicationPhase.DELETING, OperationType.DELETE, OperationState.SUCCEEDED);
    soon().until(() -> read() == null);
  }

  @Test
  void temporal_that_is_away_is_told_and_what_runs_goes_on() {
    given_it_runs();
    temporal.away(true);

    merge("{\"spec\":{\"restartNonce\":\"a\"}}");
    soon().until(() -> condition("Progressing").equals("Unknown/TemporalUnavailable"));
    assertThat(condition("Running")).isEqualTo("True/Running");

    temporal.away(false);
    soon().until(() -> isOpen("DeployApplication"));
  }

  @Test
  void nothing_is_written_while_nothing_changes_however_often_Flink_is_asked() {
    given_it_runs();
    soon().until(() -> read().getStatus().clusterStatus().health() == HealthStatus.GREEN);
    soon().until(() -> read().getStatus().jobStatus().totalTasks() != null);
    given_the_controller_is_at_rest();
    int asked = flink.jobsAsked();

    soon().until(() -> flink.jobsAsked() > asked + 20);

    assertThat(controller.writes()).isEmpty();
  }
}
