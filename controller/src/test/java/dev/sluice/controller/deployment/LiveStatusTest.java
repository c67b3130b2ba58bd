package dev.sluice.controller.deployment;

import static dev.sluice.api.common.OperationState.BLOCKED;
import static dev.sluice.api.common.OperationState.PARKED;
import static dev.sluice.api.common.OperationType.UPGRADE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.LifecycleState;
import dev.sluice.api.common.Resource;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.JobManagerDeploymentStatus;
import dev.sluice.api.deployment.TaskManagerSpec;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.observation.ObservedJob;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The status tells what is true now. */
class LiveStatusTest {

  @Nested
  class During_an_operation {

    @ParameterizedTest
    @EnumSource(FlinkJobState.class)
    void the_job_s_state_is_Flink_s(FlinkJobState state) {
      FlinkDeploymentStatus status = project(Deployed.upgrading().job(state, false));

      assertThat(status.jobStatus().state()).isEqualTo(state);
      assertThat(status.condition("Running").orElseThrow().getStatus())
          .isEqualTo(state == FlinkJobState.RUNNING ? "True" : "False");
    }

    @Test
    void a_JobManager_that_does_not_answer_makes_the_job_s_state_unknown() {
      FlinkDeploymentStatus status =
          project(
              lastSeen(Deployed.upgrading(), FlinkJobState.RUNNING)
                  .job(new ObservedJob.Unreachable("No answer")));

      assertThat(status.jobStatus().state()).isEqualTo(FlinkJobState.RECONCILING);
      assertThat(status.jobStatus().jobId()).isEqualTo(Deployed.JOB_ID);
      assertThat(words(status, "Running")).isEqualTo("Unknown/ClusterNotReady");
    }

    @Test
    void what_was_seen_last_stays_while_Flink_is_being_asked() {
      FlinkDeploymentStatus status =
          project(lastSeen(Deployed.upgrading(), FlinkJobState.RUNNING).notAsked());

      assertThat(status.jobStatus().state()).isEqualTo(FlinkJobState.RUNNING);
    }

    @Test
    void a_first_deployment_has_a_job_that_is_not_known_yet() {
      FlinkDeploymentStatus status = project(Deployed.created());

      assertThat(status.jobStatus().state()).isEqualTo(FlinkJobState.RECONCILING);
    }

    @Test
    void the_message_says_where_it_goes_and_holds_no_step_or_time() {
      assertThat(message(project(Deployed.upgrading()), "Progressing"))
          .isEqualTo(
              "Upgrading to generation 7; see status.operation and workflow "
                  + Deployed.LANE
                  + ".");
    }

    @Test
    void a_newer_generation_without_a_difference_does_not_change_where_it_goes() {
      assertThat(message(project(Deployed.upgrading().generation(8)), "Progressing"))
          .startsWith("Upgrading to generation 7;");
    }
  }

  @Nested
  class A_blocked_operation {

    private final Deployed blocked =
        Deployed.upgrading()
            .operation(UPGRADE, BLOCKED, 6L, 7)
            .operationSays("Refused", "Quota exceeded: pods 10 of 10.");

    @Test
    void says_why_and_that_it_tries_again_by_itself() {
      assertThat(message(project(blocked), "Stalled"))
          .startsWith("Quota exceeded")
          .contains("retries automatically", "sluice.dev/retry", "sluice.dev/abort");
    }
  }

  @Nested
  class A_JobManager_that_is_away {

    @Test
    void has_failed_also_while_the_run_that_is_to_start_it_again_is_parked() {
      Deployed parked =
          Deployed.running().cluster(JobManager.MISSING).operation(UPGRADE, PARKED, 6L, 6);

      assertThat(project(parked).lifecycleState()).isEqualTo(LifecycleState.FAILED);
    }

    @Test
    void is_told_as_missing_when_its_Deployment_is_gone_with_what_to_do() {
      FlinkDeploymentStatus status =
          project(
              Deployed.running()
                  .configured("kubernetes.operator.jm-deployment-recovery.enabled", "false")
                  .cluster(JobManager.MISSING));

      assertThat(words(status, "Ready")).isEqualTo("False/JobManagerMissing");
      assertThat(words(status, "Running")).isEqualTo("False/JobManagerMissing");
      assertThat(message(status, "Ready"))
          .contains("sluice.dev/retry", "sluice.dev/restore-from: <path");
      assertThat(status.error()).contains("JobManagerMissing");
      assertThat(status.jobManagerDeploymentStatus()).isEqualTo(JobManagerDeploymentStatus.MISSING);
    }

    @ParameterizedTest(name = "FLINK-32033: {0} is {1}")
    @CsvSource({
      "MISSING, FAILED, MISSING",
      "STOPPED, DEPLOYED, DEPLOYED_NOT_READY",
      "STARTING, DEPLOYED, DEPLOYING",
      "FAILING, DEPLOYED, ERROR"
    })
    void is_never_stable(
        JobManager jobManager, LifecycleState lifecycle, JobManagerDeploymentStatus told) {
      FlinkDeploymentStatus status = project(Deployed.running().cluster(jobManager));

      assertThat(status.lifecycleState()).isEqualTo(lifecycle);
      assertThat(status.jobManagerDeploymentStatus()).isEqualTo(told);
    }

    @Test
    void needs_a_person_when_it_cannot_start() {
      FlinkDeploymentStatus status = project(Deployed.running().cluster(JobManager.FAILING));

      assertThat(words(status, "Stalled")).isEqualTo("True/ClusterNotReady");
      assertThat(message(status, "Stalled")).contains("cannot start", "kubectl describe pod");
      assertThat(status.error()).contains("\"type\":\"ClusterNotReady\"");
    }
  }

  @Nested
  class A_job_that_failed {

    private final FlinkDeploymentStatus status =
        project(Deployed.running().failed("IllegalStateException: boom (in task map)"));

    @Test
    void has_its_root_cause_in_the_error() {
      assertThat(status.error())
          .contains("\"type\":\"JobFailed\"", "IllegalStateException: boom (in task map)");
    }

    @Test
    void has_its_root_cause_in_the_conditions() {
      assertThat(message(status, "Running")).contains("is FAILED: IllegalStateException: boom");
      assertThat(message(status, "Ready")).contains("is FAILED: IllegalStateException: boom");
    }

    @Test
    void is_told_beside_an_invalid_spec() {
      FlinkDeploymentStatus both = project(Deployed.changed().invalid().failed("boom"));

      assertThat(both.error()).contains("\"type\":\"InvalidSpec\"", "spec.serviceAccount", "boom");
    }
  }

  @Nested
  class A_job_that_finished {

    @Test
    void stays_so_when_its_cluster_is_deleted() {
      FlinkDeploymentStatus status =
          project(
              lastSeen(Deployed.running(), FlinkJobState.FINISHED)
                  .endedForGood(FlinkJobState.FINISHED));

      assertThat(status.jobStatus().state()).isEqualTo(FlinkJobState.FINISHED);
      assertThat(status.lifecycleState()).isEqualTo(LifecycleState.STABLE);
      assertThat(words(status, "Ready")).isEqualTo("True/JobFinished");
      assertThat(message(status, "Running")).contains("has finished");
      assertThat(status.error()).isNull();
    }

    @Test
    void stays_so_when_its_JobManager_is_restarted_with_high_availability() {
      FlinkDeploymentStatus status =
          project(
              lastSeen(Deployed.highlyAvailable(), FlinkJobState.FINISHED)
                  .job(new ObservedJob.Answered(Optional.empty(), Map.of())));

      assertThat(status.jobStatus().state()).isEqualTo(FlinkJobState.FINISHED);
      assertThat(status.lifecycleState()).isEqualTo(LifecycleState.STABLE);
      assertThat(words(status, "Ready")).isEqualTo("True/JobFinished");
      assertThat(words(status, "Running")).isEqualTo("False/Finished");
    }

    @Test
    void is_not_told_of_a_JobManager_that_somebody_stopped_while_its_job_ran() {
      FlinkDeploymentStatus status =
          project(lastSeen(Deployed.running(), FlinkJobState.RUNNING).cluster(JobManager.STOPPED));

      assertThat(words(status, "Ready")).isEqualTo("False/ClusterNotReady");
      assertThat(message(status, "Ready")).contains("scaled to 0");
    }
  }

  @Nested
  class Fields_without_effect {

    @Test
    void are_named_in_the_message_of_Ready() {
      FlinkDeploymentStatus status =
          project(Deployed.running().ignoring("spec.ingress: not supported yet"));

      assertThat(words(status, "Ready")).isEqualTo("True/UpToDate");
      assertThat(message(status, "Ready")).endsWith("(ignored: spec.ingress: not supported yet)");
    }
  }

  @Nested
  class The_number_of_TaskManagers {

    @ParameterizedTest
    @CsvSource({
      "3, 2, 2",
      "2147483647, 1, 2147483647",
      "2147483647, 2, 1073741824",
      "2147483647, 2147483647, 1",
      "1, 2147483647, 1",
      "-2147483648, 2, 0",
      "2, -5, 2"
    })
    void never_overflows(int parallelism, int slots, int expected) {
      FlinkDeploymentSpec spec = DeployedSpec.valid();
      FlinkConfiguration configuration =
          spec.configuration().with("taskmanager.numberOfTaskSlots", Integer.toString(slots));

      FlinkDeploymentStatus status =
          project(
              Deployed.created()
                  .spec(
                      spec.withConfiguration(configuration)
                          .withJob(spec.job().withParallelism(parallelism))));

      assertThat(status.taskManager().replicas()).isEqualTo(expected);
    }

    @Test
    void is_never_negative() {
      Resource resource = new Resource(0.5, "1g", null);

      FlinkDeploymentStatus status =
          project(
              Deployed.created()
                  .spec(
                      DeployedSpec.valid()
                          .withTaskManager(new TaskManagerSpec(resource, null, -7, null))));

      assertThat(status.taskManager().replicas()).isZero();
    }
  }

  private static Deployed lastSeen(Deployed given, FlinkJobState state) {
    return given.jobStatus(
        JobStatus.EMPTY.withJobId(Deployed.JOB_ID).withJobName("orders").withState(state));
  }

  private static FlinkDeploymentStatus project(Deployed given) {
    SeenDeployment snapshot = given.snapshot();
    Clock clock = Clock.fixed(Deployed.NOW, ZoneOffset.UTC);
    return new DeploymentProjection(clock).project(snapshot, DeploymentPlanner.decide(snapshot));
  }

  private static String words(FlinkDeploymentStatus status, String type) {
    Condition condition = status.condition(type).orElseThrow();
    return condition.getStatus() + "/" + condition.getReason();
  }

  private static String message(FlinkDeploymentStatus status, String type) {
    return status.condition(type).orElseThrow().getMessage();
  }
}
