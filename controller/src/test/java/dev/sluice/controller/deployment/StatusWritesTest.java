package dev.sluice.controller.deployment;

import static dev.sluice.api.common.OperationState.PARKED;
import static dev.sluice.api.common.OperationState.RUNNING;
import static dev.sluice.api.common.OperationState.SUCCEEDED;
import static dev.sluice.api.common.OperationType.UPGRADE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Times;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.TemporalAnswers;
import dev.sluice.controller.operation.TemporalAnswers.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How often a status is written, and what is told, along the course of an operation. */
class StatusWritesTest extends StatusWritesScenario {

  /** W1, FLINK-29959: Apache's operator writes each changed status three times. */
  @Test
  void an_upgrade_costs_ten_writes_and_two_events() {
    given_a_settled_resource();

    reconcile(resource.image("flink:2.2").generation(7));
    reconcile(resource);
    reconcile(
        resource
            .frozen(7)
            .reconciliation(ReconciliationState.UPGRADING)
            .operation(UPGRADE, RUNNING, 6L, 7)
            .planned("Upgrading to generation 7. The job runs; it is stopped with a savepoint."));
    pass(Duration.ofMillis(1500));
    reconcile(resource.job(FlinkJobState.FINISHED, false));
    pass(Duration.ofMillis(500));
    reconcile(resource.cluster(JobManager.MISSING));
    pass(Duration.ofMillis(500));
    reconcile(resource.cluster(JobManager.STARTING));
    pass(Duration.ofMillis(5500));
    reconcile(resource.cluster(JobManager.RUNNING).notAsked());
    reconcile(resource.job(FlinkJobState.CREATED, false));
    pass(Duration.ofMillis(3000));
    reconcile(resource.job(FlinkJobState.RUNNING, false));
    pass(Duration.ofMillis(3000));
    reconcile(
        resource
            .stable(7)
            .reconciliation(ReconciliationState.DEPLOYED)
            .operation(UPGRADE, SUCCEEDED, 6L, 7)
            .notAsked());
    reconcile(resource.job(FlinkJobState.RUNNING, true));
    reconcile(resource);

    assertThat(writes)
        .startsWith("Ready=False/Upgrading RUNNING")
        .endsWith("Ready=True/UpToDate RUNNING")
        .hasSizeLessThanOrEqualTo(10);
    assertThat(reasons()).containsExactly("SpecChanged", "SpecChanged");
    assertThat(events.get(0).message()).startsWith("Generation 7: spec.image: ");
    assertThat(events.get(1).message())
        .startsWith("Upgrading to generation 7. The job runs; it is stopped with a savepoint.");
  }

  @Test
  void a_parked_upgrade_costs_one_write_more_whatever_the_answer_of_Flink_takes() {
    given_a_settled_resource();
    reconcile(resource.image("flink:2.2").generation(7));

    reconcile(
        resource
            .frozen(7)
            .reconciliation(ReconciliationState.UPGRADING)
            .operation(UPGRADE, PARKED, 6L, 7)
            .operationSays("SavepointFailed", "no space left")
            .notAsked());
    reconcile(resource.job(FlinkJobState.RUNNING, true));

    assertThat(writes)
        .containsExactly("Ready=False/Upgrading RUNNING", "Ready=False/SavepointFailed RUNNING");
  }

  @Test
  void a_change_in_ignored_fields_during_an_operation_costs_one_write_and_no_event() {
    given_a_settled_resource();
    reconcile(resource.image("flink:2.2").generation(7));
    reconcile(
        resource
            .frozen(7)
            .reconciliation(ReconciliationState.UPGRADING)
            .operation(UPGRADE, RUNNING, 6L, 7));
    writes.clear();
    events.clear();

    reconcile(resource.generation(8));
    reconcile(
        resource
            .stable(7)
            .reconciliation(ReconciliationState.DEPLOYED)
            .operation(UPGRADE, SUCCEEDED, 6L, 7));

    assertThat(writes)
        .containsExactly("Ready=False/Upgrading RUNNING", "Ready=True/UpToDate RUNNING");
    assertThat(events).isEmpty();
    assertThat(resource.resource().getStatus().observedGeneration()).isEqualTo(8);
  }

  @Test
  void a_restart_of_the_controller_costs_no_write() {
    given_a_settled_resource();

    reconcile(resource.notAsked().temporal(TemporalAnswers.NOTHING));
    reconcile(resource.job(FlinkJobState.RUNNING, true));

    assertThat(writes).isEmpty();
  }

  @Test
  void an_invalid_spec_is_told_once_for_each_generation() {
    given_a_settled_resource();

    reconcile(resource.invalid().generation(7));
    reconcile(resource);
    reconcile(resource.generation(8));
    reconcile(resource);

    assertThat(reasons()).containsExactly("ValidationError", "ValidationError");
  }

  @Test
  void fields_without_effect_are_told_once_for_each_generation() {
    given_a_settled_resource();

    reconcile(resource.ignoring("spec.ingress: not supported yet").generation(7));
    reconcile(resource);
    reconcile(resource.job(FlinkJobState.RESTARTING, false));

    assertThat(reasons()).containsOnlyOnce("FieldsIgnored");
    assertThat(events.get(0).message()).contains("Generation 7", "spec.ingress");
    assertThat(events.get(0).warning()).isFalse();
  }

  @Test
  void Temporal_being_away_is_told_once_and_the_job_is_told_to_run_on() {
    given_a_settled_resource();
    reconcile(resource.image("flink:2.2").generation(7));

    reconcile(resource.temporalAway("away"));
    reconcile(resource.temporalAway("away"));

    assertThat(reasons()).containsExactly("SpecChanged", "TemporalUnavailable");
    assertThat(state()).isEqualTo(FlinkJobState.RUNNING);
  }

  @Test
  void a_request_is_told_once_and_its_value_kept() {
    given_a_settled_resource();
    Request abort = new Request(Request.Kind.ABORT, "no");

    reconcile(resource.annotated(abort).answered(abort, Answer.NOT_OPEN));
    reconcile(resource);
    reconcile(resource.temporal(TemporalAnswers.NOTHING));

    assertThat(reasons()).containsExactly("RequestIgnored");
    assertThat(resource.resource().getStatus().requests().abort()).isEqualTo("no");
  }

  @Test
  void requests_that_came_with_the_manifest_are_handled_without_an_event() {
    Deployed created =
        Deployed.created()
            .annotated(new Request(Request.Kind.ABORT, "of an earlier life"))
            .annotated(new Request(Request.Kind.RETRY, "of an earlier life"));

    reconcile(created);
    reconcile(created);

    assertThat(events).isEmpty();
    assertThat(created.resource().getStatus().requests().abort()).isEqualTo("of an earlier life");
    assertThat(created.resource().getStatus().requests().retry()).isEqualTo("of an earlier life");
  }

  @Test
  void a_job_that_restarts_and_comes_back_is_told_twice() {
    given_a_settled_resource();

    reconcile(resource.job(FlinkJobState.RESTARTING, false));
    reconcile(resource.job(FlinkJobState.RUNNING, true));

    assertThat(reasons()).containsExactly("JobStatusChanged", "JobStatusChanged");
    assertThat(writes)
        .containsExactly("Ready=False/JobNotRunning RESTARTING", "Ready=True/UpToDate RUNNING");
  }

  /** FLINK-37455. */
  @Test
  void a_job_that_fails_is_told_once_with_its_cause() {
    given_a_settled_resource();

    reconcile(resource.job(FlinkJobState.FAILED, false));
    reconcile(resource.failed("IllegalStateException: boom"));
    reconcile(resource.notAsked());
    reconcile(resource.failed("IllegalStateException: boom"));

    assertThat(events)
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.warning()).isTrue();
              assertThat(event.message()).contains("FAILED", "IllegalStateException: boom");
            });
  }

  @Test
  void a_restart_of_the_controller_does_not_tell_a_failure_again() {
    given_a_settled_resource();
    reconcile(resource.failed("IllegalStateException: boom"));

    reconcile(resource.temporal(TemporalAnswers.NOTHING).job(FlinkJobState.FAILED, false));
    reconcile(resource.notAsked());

    assertThat(events).hasSize(1);
  }

  @Test
  void a_deleted_JobManager_Deployment_is_told_once_with_what_to_do() {
    given_a_settled_resource();
    resource.configured("kubernetes.operator.jm-deployment-recovery.enabled", "false");

    reconcile(resource.cluster(JobManager.MISSING));
    reconcile(resource);

    assertThat(events)
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.warning()).isTrue();
              assertThat(event.reason()).isEqualTo("Missing");
              assertThat(event.message())
                  .contains("sluice.dev/retry", "sluice.dev/restore-from: <path");
            });
  }

  /** FLINK-37320: a finished job is not RECONCILING without its JobManager. */
  @Test
  void a_job_that_finishes_stays_finished_when_its_cluster_is_deleted() {
    given_a_settled_resource();

    reconcile(resource.job(FlinkJobState.FINISHED, false));
    reconcile(resource);
    reconcile(resource.ended(FlinkJobState.FINISHED));
    reconcile(resource.cluster(JobManager.MISSING));
    reconcile(resource);

    assertThat(reasons()).containsExactly("JobStatusChanged");
    assertThat(writes)
        .allSatisfy(write -> assertThat(write).isEqualTo("Ready=True/JobFinished FINISHED"));
    assertThat(state()).isEqualTo(FlinkJobState.FINISHED);
  }

  @Test
  void a_task_that_changes_without_a_difference_that_matters_costs_no_write() {
    given_a_settled_resource();
    ObservedJob.Answered observed = (ObservedJob.Answered) resource.snapshot().observed().job();
    Job job = observed.job().orElseThrow();
    Times later = new Times(job.times().started(), job.times().modified().plusSeconds(5));

    reconcile(
        resource.job(
            new ObservedJob.Answered(
                Optional.of(
                    new Job(
                        job.id(), job.name(), job.state(), true, later, job.failure(), List.of())),
                Map.of("flink-version", "1.20.5"))));

    assertThat(writes).isEmpty();
  }
}
