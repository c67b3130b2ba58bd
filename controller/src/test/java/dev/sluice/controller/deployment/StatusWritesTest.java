package dev.sluice.controller.status;

import static dev.sluice.api.common.OperationState.PARKED;
import static dev.sluice.api.common.OperationState.RUNNING;
import static dev.sluice.api.common.OperationState.SUCCEEDED;
import static dev.sluice.api.common.OperationType.UPGRADE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.JobManagerDeploymentStatus;
import dev.sluice.controller.deployment.Decision;
import dev.sluice.controller.deployment.Deployed;
import dev.sluice.controller.deployment.DeploymentPlanner;
import dev.sluice.controller.deployment.DeploymentSnapshot;
import dev.sluice.controller.deployment.ObservedJob;
import dev.sluice.controller.deployment.Request;
import dev.sluice.controller.deployment.WorkflowState;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How often a status is written, and what is told, along the course of an operation. */
class StatusWritesTest {

  private final StatusProjection projection = new StatusProjection(Clock.systemUTC());
  private final List<String> writes = new ArrayList<>();
  private final List<String> events = new ArrayList<>();
  private final Deployed resource = Deployed.running();

  @Test
  void an_upgrade_costs_two_writes_and_one_event() {
    given_a_settled_resource();

    look(resource.image("flink:2.2").generation(7));
    look(resource.told(7));
    look(
        resource
            .frozen(7)
            .reconciliation(ReconciliationState.UPGRADING)
            .operation(UPGRADE, RUNNING, 6L, 7));
    look(resource.cluster(JobManagerDeploymentStatus.MISSING).job(unreachable()));
    look(resource.cluster(JobManagerDeploymentStatus.DEPLOYING));
    look(resource.cluster(JobManagerDeploymentStatus.DEPLOYED_NOT_READY).job(pending()));
    look(
        resource
            .stable(7)
            .reconciliation(ReconciliationState.DEPLOYED)
            .operation(UPGRADE, SUCCEEDED, 6L, 7));
    look(resource.job(FlinkJobState.RUNNING, true));
    look(resource);

    assertThat(writes).containsExactly("Ready=False/Upgrading", "Ready=True/UpToDate");
    assertThat(events).containsExactly("SpecChanged");
  }

  @Test
  void a_parked_upgrade_costs_one_write_more_whatever_the_answer_of_Flink_takes() {
    given_a_settled_resource();
    look(resource.image("flink:2.2").generation(7));

    look(
        resource
            .frozen(7)
            .reconciliation(ReconciliationState.UPGRADING)
            .operation(UPGRADE, PARKED, 6L, 7)
            .operationSays("SavepointFailed", "no space left")
            .job(pending()));
    look(resource.job(FlinkJobState.RUNNING, true));

    assertThat(writes).containsExactly("Ready=False/Upgrading", "Ready=False/SavepointFailed");
  }

  @Test
  void a_restart_of_the_controller_costs_no_write() {
    given_a_settled_resource();

    look(resource.job(pending()).lane(WorkflowState.NOTHING));
    look(resource.job(FlinkJobState.RUNNING, true));

    assertThat(writes).isEmpty();
  }

  @Test
  void an_invalid_spec_is_told_once_for_each_generation() {
    given_a_settled_resource();

    look(resource.invalid().generation(7));
    look(resource);
    look(resource.generation(8));
    look(resource);

    assertThat(events).containsExactly("ValidationError", "ValidationError");
  }

  @Test
  void Temporal_being_away_is_told_once_and_the_job_is_told_to_run_on() {
    given_a_settled_resource();
    look(resource.image("flink:2.2").generation(7));

    look(resource.lane(new WorkflowState(null, false, false, Map.of(), "away")));
    look(resource.lane(new WorkflowState(null, false, false, Map.of(), "away")));

    assertThat(events).containsExactly("SpecChanged", "TemporalUnavailable");
    assertThat(resource.resource().getStatus().jobStatus().state())
        .isEqualTo(FlinkJobState.RUNNING);
  }

  @Test
  void a_request_is_told_once_and_its_value_kept() {
    given_a_settled_resource();
    Request abort = new Request.Abort("no");

    look(
        resource
            .annotated(abort)
            .lane(
                new WorkflowState(
                    null, false, false, Map.of(abort, WorkflowState.Answer.NOT_OPEN), null)));
    look(resource.lane(WorkflowState.NOTHING));

    assertThat(events).containsExactly("RequestIgnored");
    assertThat(resource.resource().getStatus().requests().abort()).isEqualTo("no");
  }

  @Test
  void a_job_that_is_lost_and_comes_back_is_told_twice() {
    given_a_settled_resource();

    look(resource.job(FlinkJobState.RESTARTING, false));
    look(resource.job(FlinkJobState.RUNNING, true));

    assertThat(events).containsExactly("JobStatusChanged", "JobStatusChanged");
    assertThat(writes).containsExactly("Ready=False/JobNotRunning", "Ready=True/UpToDate");
  }

  @Test
  void a_task_that_changes_without_a_difference_that_matters_costs_no_write() {
    given_a_settled_resource();
    ObservedJob.Answered seen = (ObservedJob.Answered) resource.situation().seen().job();
    ObservedJob.Job job = seen.job().orElseThrow();

    look(
        resource.job(
            new ObservedJob.Answered(
                Optional.of(
                    new ObservedJob.Job(
                        job.id(),
                        job.name(),
                        job.state(),
                        true,
                        job.started(),
                        job.modified().plusSeconds(5))),
                seen.clusterInfo())));

    assertThat(writes).isEmpty();
  }

  private void given_a_settled_resource() {
    look(resource);
    writes.clear();
    events.clear();
  }

  /** One reconciliation: what differs is written, as the reconciler does. */
  private void look(Deployed given) {
    DeploymentSnapshot situation = given.situation();
    Decision decision = DeploymentPlanner.decide(situation);
    FlinkDeploymentStatus wanted = projection.project(situation, decision);
    if (StatusProjection.owned(situation.status()).equals(wanted)) {
      return;
    }
    var ready = wanted.condition("Ready").orElseThrow();
    writes.add("Ready=" + ready.getStatus() + "/" + ready.getReason());
    StatusEvents.of(situation, decision, wanted).forEach(notice -> events.add(notice.reason()));
    given.status(
        wanted
            .withOperation(situation.status().operation())
            .withReconciliationStatus(situation.status().reconciliationStatus()));
  }

  private static ObservedJob pending() {
    return new ObservedJob.Pending();
  }

  private static ObservedJob unreachable() {
    return new ObservedJob.Unreachable("no JobManager pod is ready");
  }
}
