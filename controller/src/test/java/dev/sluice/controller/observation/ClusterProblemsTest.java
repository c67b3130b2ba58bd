package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.Annotations;
import dev.sluice.api.Labels;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of containers that do not run. */
class ClusterProblemsTest {

  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "ErrImagePull, ImagePullFailed, pull secret",
    "ImagePullBackOff, ImagePullFailed, pull secret",
    "InvalidImageName, ImagePullFailed, spec.image",
    "CreateContainerConfigError, CreateContainerConfigError, Secret or ConfigMap",
    "CreateContainerError, CreateContainerError, pod template",
    "RunContainerError, RunContainerError, pod template",
    "StartError, RunContainerError, pod template",
  })
  void a_container_that_cannot_start_is_named_with_pod_cause_and_what_to_do(
      String word, String reason, String advice) {
    ClusterProblem problem = only(observe(waiting(jobManager(), word, "no such thing")));

    assertThat(problem.reason()).isEqualTo(reason);
    assertThat(problem.lasting()).isTrue();
    assertThat(problem.message())
        .startsWith("JobManager: ")
        .contains("flink-main-container", "orders-jm", word, "no such thing", advice)
        .endsWith(".");
  }

  @Test
  void a_TaskManager_that_cannot_start_is_told_as_one() {
    ClusterProblem problem =
        only(observe(running(jobManager(), NOW), waiting(taskManager(), "ErrImagePull", "no")));

    assertThat(problem.component()).isEqualTo(ClusterProblem.Component.TASK_MANAGER);
    assertThat(problem.message()).startsWith("TaskManager: ").contains("orders-tm");
  }

  @Test
  void a_refused_pod_says_who_refuses_it_and_what_to_do() {
    String message = "pods \"o-1\" is forbidden: exceeded quota: small";
    Deployment refused =
        new DeploymentBuilder(deployment())
            .withNewStatus()
            .addNewCondition()
            .withType("ReplicaFailure")
            .withStatus("True")
            .withMessage(message)
            .endCondition()
            .endStatus()
            .build();

    ClusterProblem problem = only(ClusterObserver.of("uid-1", List.of(refused), List.of(), NOW));

    assertThat(problem.reason()).isEqualTo(Reasons.FAILED_CREATE);
    assertThat(problem.message()).contains(message, "Remove what refuses it").endsWith(".");
  }

  @Test
  void the_words_of_a_container_are_told_without_credentials() {
    ClusterProblem problem =
        only(observe(waiting(jobManager(), "RunContainerError", "exec --password=hunter2 failed")));

    assertThat(problem.message()).contains("--password=***").doesNotContain("hunter2");
  }

  @Nested
  class A_pod_that_no_node_takes {

    @Test
    void is_told_and_may_pass() {
      ClusterProblem problem = only(observe(unschedulable(Duration.ofSeconds(11))));

      assertThat(problem.reason()).isEqualTo(Reasons.UNSCHEDULABLE);
      assertThat(problem.lasting()).isFalse();
      assertThat(problem.message()).contains("orders-tm", "Insufficient cpu", "Add nodes");
    }

    private Pod unschedulable(Duration since) {
      return new PodBuilder(taskManager())
          .withNewStatus()
          .addNewCondition()
          .withType("PodScheduled")
          .withStatus("False")
          .withReason("Unschedulable")
          .withMessage("Insufficient cpu")
          .withLastTransitionTime(NOW.minus(since).toString())
          .endCondition()
          .endStatus()
          .build();
    }
  }

  @Nested
  class A_container_that_crashes {

    private final Pod waits = crashed(waiting(jobManager(), "CrashLoopBackOff", "back-off 40s"), 4);
    private final Pod runs = crashed(running(jobManager(), NOW.minusSeconds(5)), 4);
    private final Pod ended = crashed(ended(jobManager()), 4);

    @Test
    void again_and_again_is_told_the_same_whether_it_waits_or_runs_or_has_just_ended() {
      Set<String> told = new TreeSet<>();
      for (Pod pod : List.of(waits, runs, ended, waits)) {
        ObservedCluster observed = observe(pod);
        told.add(observed.jobManager() + " " + only(observed).reason());
      }

      assertThat(told).containsExactly("FAILING CrashLoopBackOff");
    }

    @Test
    void again_and_again_is_told_also_of_one_that_is_ready_in_between() {
      ObservedCluster observed = observe(ready(runs));

      assertThat(observed.jobManager()).isEqualTo(JobManager.RUNNING);
      assertThat(only(observed).reason()).isEqualTo(Reasons.CRASH_LOOP);
    }

    @Test
    void is_over_it_when_it_has_run_for_two_minutes() {
      ObservedCluster observed =
          observe(ready(crashed(running(jobManager(), NOW.minusSeconds(120)), 4)));

      assertThat(observed.health()).isEqualTo(ClusterHealth.GOOD);
    }

    @Test
    void is_looked_at_again_when_it_may_be_over_it() {
      assertThat(observe(runs).health().review()).isEqualTo(NOW.plusSeconds(115));
    }

    @Test
    void once_or_twice_is_usual_while_a_cluster_comes_up() {
      Pod twice = crashed(waiting(jobManager(), "CrashLoopBackOff", "back-off 20s"), 2);

      assertThat(observe(twice).jobManager()).isEqualTo(JobManager.STARTING);
      assertThat(observe(twice).health().problems()).isEmpty();
    }

    @Test
    void after_a_long_run_is_not_in_a_loop() {
      Pod once =
          new PodBuilder(running(jobManager(), NOW.minusSeconds(5)))
              .editStatus()
              .editFirstContainerStatus()
              .withRestartCount(9)
              .withNewLastState()
              .withNewTerminated()
              .withStartedAt(NOW.minus(Duration.ofDays(3)).toString())
              .withFinishedAt(NOW.minusSeconds(6).toString())
              .withExitCode(1)
              .endTerminated()
              .endLastState()
              .endContainerStatus()
              .endStatus()
              .build();

      assertThat(observe(once).health().problems()).isEmpty();
    }

    @Test
    void says_how_it_ended_and_where_to_look() {
      assertThat(only(observe(runs)).message())
          .contains("crashed 4 times", "exit code 1", "kubectl logs orders-jm --previous");
    }
  }

  @Nested
  class A_container_that_was_killed_for_its_memory {

    @Test
    void says_what_to_raise() {
      ClusterProblem problem = only(observe(killed(jobManager(), 1)));

      assertThat(problem.reason()).isEqualTo(Reasons.OOM_KILLED);
      assertThat(problem.message())
          .isEqualTo(
              "Container flink-main-container of JobManager pod orders-jm was OOMKilled: it used"
                  + " more memory than its limit. Raise the memory of spec.jobManager, or make the"
                  + " job hold less.");
    }

    @Test
    void gets_over_it_unless_it_happens_again_and_again() {
      assertThat(only(observe(killed(jobManager(), 1))).lasting()).isFalse();
      assertThat(only(observe(killed(jobManager(), 5))).lasting()).isTrue();
    }

    @Test
    void explains_nothing_any_more_after_ten_minutes() {
      Pod killed = killed(taskManager(), 0);

      ObservedCluster before = observe(NOW.plusSeconds(597), killed);
      assertThat(only(before).reason()).isEqualTo(Reasons.OOM_KILLED);
      assertThat(before.health().review()).isEqualTo(NOW.plusSeconds(598));
      assertThat(observe(NOW.plusSeconds(599), killed).health()).isEqualTo(ClusterHealth.GOOD);
    }

    @Test
    void is_not_told_of_a_container_that_ended_in_another_way() {
      assertThat(observe(crashed(ended(taskManager()), 0)).health()).isEqualTo(ClusterHealth.GOOD);
    }
  }

  private ObservedCluster observe(Pod... pods) {
    return observe(NOW, pods);
  }

  private ObservedCluster observe(Instant now, Pod... pods) {
    return ClusterObserver.of("uid-1", List.of(deployment()), List.of(pods), now);
  }

  private static ClusterProblem only(ObservedCluster observed) {
    assertThat(observed.health().problems()).hasSize(1);
    return observed.health().problems().get(0);
  }

  private static Deployment deployment() {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName("orders")
        .withAnnotations(Map.of(Annotations.JOB_ID, "job-1"))
        .addNewOwnerReference()
        .withUid("uid-1")
        .endOwnerReference()
        .endMetadata()
        .build();
  }

  private static Pod jobManager() {
    return pod("orders-jm", Labels.COMPONENT_JOB_MANAGER);
  }

  private static Pod taskManager() {
    return pod("orders-tm", Labels.COMPONENT_TASK_MANAGER);
  }

  private static Pod pod(String name, String component) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .withUid(name)
        .withCreationTimestamp("2026-11-21T09:00:00Z")
        .addToLabels(Labels.APP, "orders")
        .addToLabels(Labels.COMPONENT, component)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("flink-main-container")
        .endContainer()
        .endSpec()
        .build();
  }

  private static Pod with(Pod pod, ContainerStateBuilder state) {
    return new PodBuilder(pod)
        .withNewStatus()
        .withContainerStatuses(
            new ContainerStatusBuilder()
                .withName("flink-main-container")
                .withImage("flink:1.20")
                .withRestartCount(0)
                .withState(state.build())
                .build())
        .endStatus()
        .build();
  }

  private static Pod waiting(Pod pod, String reason, String message) {
    return with(pod, new ContainerStateBuilder().withNewWaiting(message, reason));
  }

  private static Pod running(Pod pod, Instant since) {
    return with(
        pod,
        new ContainerStateBuilder().withNewRunning().withStartedAt(since.toString()).endRunning());
  }

  private static Pod ended(Pod pod) {
    return with(
        pod,
        new ContainerStateBuilder()
            .withNewTerminated()
            .withExitCode(1)
            .withReason("Error")
            .withStartedAt(NOW.minusSeconds(9).toString())
            .withFinishedAt(NOW.minusSeconds(1).toString())
            .endTerminated());
  }

  private static Pod crashed(Pod pod, int times) {
    return lastEnd(pod, times, "Error", 1);
  }

  private static Pod killed(Pod pod, int times) {
    return lastEnd(running(pod, NOW.minusSeconds(1)), times, "OOMKilled", 137);
  }

  private static Pod lastEnd(Pod pod, int restarts, String reason, int code) {
    return new PodBuilder(pod)
        .editStatus()
        .editFirstContainerStatus()
        .withRestartCount(restarts)
        .withNewLastState()
        .withNewTerminated()
        .withExitCode(code)
        .withReason(reason)
        .withStartedAt(NOW.minusSeconds(20).toString())
        .withFinishedAt(NOW.minusSeconds(2).toString())
        .endTerminated()
        .endLastState()
        .endContainerStatus()
        .endStatus()
        .build();
  }

  private static Pod ready(Pod pod) {
    return new PodBuilder(pod)
        .editStatus()
        .addNewCondition()
        .withType("Ready")
        .withStatus("True")
        .endCondition()
        .endStatus()
        .build();
  }
}
