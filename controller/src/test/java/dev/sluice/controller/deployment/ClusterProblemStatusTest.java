package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.observation.ClusterProblem;
import dev.sluice.controller.observation.ClusterProblem.Component;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.observation.ObservedJob;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where people look, they read which container does not run and why (FLINK-37430). */
class ClusterProblemStatusTest {

  private static final ClusterProblem CRASHES =
      problem(Reasons.CRASH_LOOP, Component.JOB_MANAGER, true);
  private static final ClusterProblem NO_IMAGE =
      problem(Reasons.IMAGE_PULL_FAILED, Component.TASK_MANAGER, true);
  private static final ClusterProblem KILLED =
      problem(Reasons.OOM_KILLED, Component.TASK_MANAGER, false);

  @Test
  void a_JobManager_that_cannot_start_needs_a_person_with_the_reason_and_the_cause() {
    FlinkDeploymentStatus status = project(Deployed.running().cluster(JobManager.FAILING, CRASHES));

    assertThat(words(status, "Stalled")).isEqualTo("True/CrashLoopBackOff");
    assertThat(message(status, "Stalled")).startsWith("JobManager of pod-1.");
    assertThat(words(status, "Ready")).isEqualTo("False/CrashLoopBackOff");
    assertThat(message(status, "Ready")).contains("JobManager of pod-1");
    assertThat(status.error()).contains("\"type\":\"CrashLoopBackOff\"");
  }

  @Test
  void a_JobManager_in_a_crash_loop_needs_a_person_also_while_it_runs() {
    FlinkDeploymentStatus status =
        project(
            Deployed.running()
                .cluster(JobManager.RUNNING, CRASHES)
                .job(FlinkJobState.RUNNING, true));

    assertThat(words(status, "Stalled")).isEqualTo("True/CrashLoopBackOff");
    assertThat(words(status, "Ready")).isEqualTo("True/UpToDate");
  }

  @Test
  void a_TaskManager_that_cannot_start_needs_a_person_while_the_job_does_not_run() {
    FlinkDeploymentStatus status =
        project(
            Deployed.running()
                .cluster(JobManager.RUNNING, NO_IMAGE)
                .job(FlinkJobState.RUNNING, false));

    assertThat(words(status, "Stalled")).isEqualTo("True/ImagePullFailed");
    assertThat(words(status, "Ready")).isEqualTo("False/ImagePullFailed");
  }

  @Test
  void a_TaskManager_that_a_running_job_does_not_need_needs_nobody() {
    FlinkDeploymentStatus status =
        project(
            Deployed.running()
                .cluster(JobManager.RUNNING, NO_IMAGE)
                .job(FlinkJobState.RUNNING, true));

    assertThat(words(status, "Stalled")).isEqualTo("False/NotStalled");
    assertThat(words(status, "Ready")).isEqualTo("True/UpToDate");
  }

  @Test
  void a_TaskManager_that_was_killed_for_its_memory_is_told_while_the_job_restarts() {
    FlinkDeploymentStatus status =
        project(
            Deployed.running()
                .cluster(JobManager.RUNNING, KILLED)
                .job(FlinkJobState.RESTARTING, false));

    assertThat(words(status, "Ready")).isEqualTo("False/OOMKilled");
    assertThat(message(status, "Ready")).contains("is RESTARTING", "TaskManager of pod-1");
    assertThat(words(status, "Stalled")).isEqualTo("False/NotStalled");
  }

  @Test
  void a_job_that_has_failed_is_explained_by_its_own_exception() {
    FlinkDeploymentStatus status =
        project(
            Deployed.running()
                .cluster(JobManager.RUNNING, KILLED)
                .failed("IllegalStateException: boom"));

    assertThat(words(status, "Ready")).isEqualTo("False/JobNotRunning");
    assertThat(message(status, "Ready")).contains("boom").doesNotContain("pod-1");
  }

  @Test
  void a_JobManager_that_was_killed_for_its_memory_is_told_while_it_does_not_answer() {
    ClusterProblem killed = problem(Reasons.OOM_KILLED, Component.JOB_MANAGER, false);

    FlinkDeploymentStatus status =
        project(
            Deployed.running()
                .cluster(JobManager.RUNNING, killed)
                .job(new ObservedJob.Unreachable("No answer")));

    assertThat(words(status, "Ready")).isEqualTo("Unknown/OOMKilled");
    assertThat(message(status, "Ready")).isEqualTo("No answer. JobManager of pod-1.");
  }

  @Test
  void a_problem_is_an_event_that_is_dated_so_that_it_is_told_once() {
    StatusEvent event =
        DeploymentEvents.problems(Deployed.running().cluster(JobManager.RUNNING, KILLED).snapshot())
            .get(0);

    assertThat(event.reason()).isEqualTo("OOMKilled");
    assertThat(event.warning()).isTrue();
    assertThat(event.repeats())
        .isEqualTo(new StatusEvent.Repeats("TaskManager", List.of(Deployed.NOW)));
  }

  @Test
  void that_there_is_no_node_yet_is_left_to_the_operation() {
    ClusterProblem noNode = problem(Reasons.UNSCHEDULABLE, Component.TASK_MANAGER, false);

    assertThat(
            DeploymentEvents.problems(
                Deployed.upgrading().cluster(JobManager.RUNNING, noNode).snapshot()))
        .isEmpty();
    assertThat(
            DeploymentEvents.problems(
                Deployed.running().cluster(JobManager.RUNNING, noNode).snapshot()))
        .hasSize(1);
  }

  @Test
  void pods_of_a_resource_that_is_deleted_are_not_told() {
    assertThat(
            DeploymentEvents.problems(
                Deployed.running().cluster(JobManager.RUNNING, CRASHES).deleted().snapshot()))
        .isEmpty();
  }

  private static ClusterProblem problem(String reason, Component component, boolean lasting) {
    return new ClusterProblem(
        reason, component, component.word() + " of pod-1.", lasting, Deployed.NOW);
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
