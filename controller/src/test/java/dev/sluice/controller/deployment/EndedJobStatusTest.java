package dev.sluice.controller.deployment;

import static dev.sluice.api.common.OperationType.UPGRADE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.LifecycleState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told of a job that has failed or was cancelled, once its JobManager was stopped. */
class EndedJobStatusTest {

  private static final DeploymentProjection PROJECTION =
      new DeploymentProjection(Clock.fixed(Deployed.NOW, ZoneOffset.UTC));

  @Test
  void a_failed_job_stays_FAILED_and_Ready_still_says_why() {
    Deployed failed = Deployed.running().failed("lost a table");
    FlinkDeploymentStatus before = project(failed);

    FlinkDeploymentStatus after =
        project(
            deleted(
                failed.status(failed.resource().getStatus().withConditions(before.conditions())),
                FlinkJobState.FAILED));

    assertThat(after.lifecycleState()).isEqualTo(LifecycleState.FAILED);
    assertThat(after.jobStatus().state()).isEqualTo(FlinkJobState.FAILED);
    assertThat(condition(after, "Ready").getMessage())
        .contains("lost a table")
        .isEqualTo(condition(before, "Ready").getMessage());
    assertThat(condition(after, "Running").getReason()).isEqualTo("Failed");
    assertThat(condition(after, "Running").getMessage())
        .contains("is FAILED; its cluster is deleted.")
        .contains("restartNonce");
    assertThat(condition(after, "Stalled").getStatus()).isEqualTo("False");
  }

  static Stream<Arguments> after_the_failure() {
    return Stream.of(
        arguments("its cluster is deleted", failed().endedForGood(FlinkJobState.FAILED), true),
        arguments("somebody deletes its Deployment", failed().cluster(JobManager.MISSING), true),
        arguments(
            "an invalid spec came",
            failed().endedForGood(FlinkJobState.FAILED).generation(7).invalid(),
            true),
        arguments("another job runs", failed().job(FlinkJobState.RUNNING, true), false));
  }

  /** Seen FAILED before, and published. */
  private static Deployed failed() {
    Deployed failed = Deployed.running().failed("lost a table");
    FlinkDeploymentStatus before = project(failed);
    return failed.status(
        failed
            .resource()
            .getStatus()
            .withConditions(before.conditions())
            .withJobStatus(before.jobStatus())
            .withError(before.error()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("after_the_failure")
  void the_error_names_the_root_cause_until_another_job_runs(
      String name, Deployed given, boolean named) {
    String error = project(given).error();

    if (named) {
      assertThat(error).containsOnlyOnce("is FAILED: ").contains("lost a table");
      FlinkDeploymentStatus now = given.resource().getStatus().withError(error);
      assertThat(project(given.status(now)).error()).isEqualTo(error);
    } else {
      assertThat(error).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_finished_job_says_that_its_cluster_is_deleted(boolean recorded) {
    Deployed finished = deleted(Deployed.running(), FlinkJobState.FINISHED);
    if (!recorded) {
      finished.status(finished.resource().getStatus().withEndedJob(null));
    }

    assertThat(condition(project(finished), "Running").getMessage())
        .isEqualTo("Job %s has finished. Its cluster is deleted.".formatted(Deployed.JOB_ID));
  }

  @Test
  void a_job_that_nobody_saw_end_is_looked_for_in_the_log_of_the_JobManager_before() {
    FlinkDeploymentStatus status = project(Deployed.highlyAvailable().forgotten());

    assertThat(condition(status, "Ready").getMessage())
        .contains("has no job")
        .contains("the log of the JobManager, or of its container before, says why");
  }

  @Test
  void without_high_availability_a_missing_job_is_not_said_to_have_ended() {
    FlinkDeploymentStatus status = project(Deployed.running().forgotten());

    assertThat(condition(status, "Ready").getMessage())
        .isEqualTo("The JobManager answers but has no job.");
  }

  @Test
  void a_cancelled_job_stays_CANCELED_and_is_not_Ready() {
    FlinkDeploymentStatus status = project(deleted(Deployed.running(), FlinkJobState.CANCELED));

    assertThat(status.jobStatus().state()).isEqualTo(FlinkJobState.CANCELED);
    assertThat(condition(status, "Ready").getStatus()).isEqualTo("False");
    assertThat(condition(status, "Ready").getMessage()).contains("is CANCELED");
  }

  /** The controller was killed, or could not write, between its decision and its status. */
  @ParameterizedTest
  @CsvSource({
    "FINISHED, STABLE, True/JobFinished, False/Finished",
    "FAILED, FAILED, False/JobNotRunning, False/Failed",
    "CANCELED, DEPLOYED, False/JobNotRunning, False/Canceled"
  })
  void how_it_ended_is_taken_from_the_record_when_the_controller_missed_it(
      FlinkJobState state, LifecycleState lifecycle, String ready, String running) {
    Deployed deployed = deleted(Deployed.running(), FlinkJobState.RUNNING).ended(state);

    FlinkDeploymentStatus status = project(deployed);

    assertThat(status.jobStatus().state()).isEqualTo(state);
    assertThat(status.lifecycleState()).isEqualTo(lifecycle);
    assertThat(words(status, "Ready")).isEqualTo(ready);
    assertThat(words(status, "Running")).isEqualTo(running);
  }

  /** Without high availability its cluster is deleted before the run is parked. */
  @Test
  void a_job_that_failed_before_it_was_stable_is_said_to_have_failed_while_its_upgrade_is_held() {
    Deployed held =
        Deployed.upgrading()
            .operation(UPGRADE, OperationState.PARKED, 6L, 7)
            .endedForGood(FlinkJobState.FAILED);

    FlinkDeploymentStatus status = project(held);

    assertThat(status.jobStatus().state()).isEqualTo(FlinkJobState.FAILED);
    assertThat(words(status, "Running")).isEqualTo("False/Failed");
    assertThat(condition(status, "Running").getMessage())
        .isEqualTo("Job %s is FAILED; its cluster is deleted.".formatted(Deployed.JOB_ID));
  }

  @Test
  void a_stateless_spec_is_not_said_to_go_on_from_what_its_job_left() {
    Deployed stateless = deleted(Deployed.running(), FlinkJobState.FAILED);
    FlinkDeploymentSpec spec = stateless.resource().getSpec();

    FlinkDeploymentStatus status =
        project(stateless.spec(spec.withJob(spec.job().withUpgradeMode(UpgradeMode.STATELESS))));

    assertThat(condition(status, "Running").getMessage())
        .contains("A restartNonce starts it empty, because upgradeMode is stateless");
  }

  private static String words(FlinkDeploymentStatus status, String type) {
    Condition condition = condition(status, type);
    return condition.getStatus() + "/" + condition.getReason();
  }

  /** The status says last that the job was in that state. */
  private static Deployed deleted(Deployed deployed, FlinkJobState last) {
    JobStatus job = JobStatus.EMPTY.withJobId(Deployed.JOB_ID).withState(last);
    return deployed.status(deployed.resource().getStatus().withJobStatus(job)).endedForGood(last);
  }

  private static FlinkDeploymentStatus project(Deployed deployed) {
    SeenDeployment snapshot = deployed.snapshot();
    return PROJECTION.project(snapshot, DeploymentPlanner.decide(snapshot));
  }

  private static Condition condition(FlinkDeploymentStatus status, String type) {
    return status.condition(type).orElseThrow();
  }
}
