package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.cluster.PodProblem;
import dev.sluice.api.Annotations;
import dev.sluice.api.Labels;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.support.MovableClock;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is said of pods whose volumes are not mounted. */
class VolumeAnswersTest {

  /** No pod waits for anything. */
  static final VolumeAnswers NONE = new VolumeAnswers(pod -> Optional.empty(), Clock.systemUTC());

  private static final Instant SCHEDULED = Instant.parse("2026-11-21T10:00:00Z");
  private static final KubernetesClientException SILENCE =
      new KubernetesClientException("no answer");
  private static final PodProblem NO_SECRET =
      new PodProblem(
          "FailedMount", "pod orders-jm waits for its volumes: secret \"keys\" not found", true);

  private final MovableClock clock = new MovableClock(SCHEDULED);
  private Optional<PodProblem> says = Optional.of(NO_SECRET);
  private List<Pod> pods = List.of(creating("orders-jm", Labels.COMPONENT_JOB_MANAGER));
  private KubernetesClientException fails = null;
  private Duration takes = Duration.ZERO;
  private final List<String> asked = new ArrayList<>();
  private final VolumeAnswers answers =
      new VolumeAnswers(
          pod -> {
            asked.add(pod.getMetadata().getName());
            clock.forward(takes);
            if (fails != null) {
              throw fails;
            }
            return says;
          },
          clock);

  /** As the second of two reconciliations sees it. */
  private ObservedCluster after(Duration since) {
    clock.forward(Duration.between(clock.instant(), SCHEDULED.plus(since)));
    reconcile();
    return observe();
  }

  private void reconcile() {
    observe();
    answers.ask(pods);
  }

  private ObservedCluster observe() {
    return ClusterObserver.of(
        "uid-1", List.of(deployment()), pods, List.of(), answers, clock.instant());
  }

  @Test
  void a_pod_that_has_just_got_its_node_is_not_asked_about_and_looked_at_again() {
    ObservedCluster observed = after(Duration.ofSeconds(4));

    assertThat(observed.health().problems()).isEmpty();
    assertThat(observed.health().review()).isEqualTo(SCHEDULED.plusSeconds(10));
    assertThat(asked).isEmpty();
  }

  @Test
  void a_volume_that_cannot_be_mounted_is_told_with_what_to_do() {
    ObservedCluster observed = after(Duration.ofSeconds(10));

    assertThat(observed.jobManager()).isEqualTo(JobManager.FAILING);
    assertThat(observed.health().problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.reason()).isEqualTo(Reasons.FAILED_MOUNT);
              assertThat(problem.lasting()).isTrue();
              assertThat(problem.message())
                  .isEqualTo(
                      "JobManager: pod orders-jm waits for its volumes: secret \"keys\" not found."
                          + " Create what it names, or correct the volumes of the pod template.");
            });
  }

  @Test
  void a_volume_that_another_node_still_has_may_pass() {
    says = Optional.of(new PodProblem("FailedAttachVolume", "Multi-Attach error", false));

    ObservedCluster observed = after(Duration.ofSeconds(10));

    assertThat(observed.jobManager()).isEqualTo(JobManager.STARTING);
    assertThat(observed.health().problems())
        .extracting(ClusterProblem::reason)
        .containsExactly(Reasons.FAILED_ATTACH_VOLUME);
  }

  @Test
  void of_a_mount_that_is_late_nothing_is_said_to_be_missing() {
    says = Optional.of(new PodProblem("FailedMount", "timed out", false));

    assertThat(after(Duration.ofSeconds(10)).health().problems())
        .extracting(ClusterProblem::message)
        .containsExactly(
            "JobManager: timed out. That is tried again; see kubectl describe pod orders-jm.");
  }

  @Test
  void the_API_server_is_asked_once_in_a_while_however_often_the_pod_is_looked_at() {
    for (int second = 10; second < 70; second++) {
      assertThat(after(Duration.ofSeconds(second)).health().problems()).hasSize(1);
    }

    assertThat(asked).hasSize(2);
    assertThat(after(Duration.ofSeconds(69)).health().review())
        .isEqualTo(SCHEDULED.plusSeconds(70));
  }

  @Test
  void what_was_found_stands_while_the_API_server_does_not_answer() {
    after(Duration.ofSeconds(10));
    fails = SILENCE;

    assertThat(after(Duration.ofSeconds(50)).health().problems()).hasSize(1);
  }

  @Test
  void an_API_server_that_never_answered_is_no_problem_of_the_pod() {
    fails = SILENCE;

    assertThat(after(Duration.ofSeconds(10)).health().problems()).isEmpty();
  }

  /** It comes before what is requested of the resource is looked at. */
  @Test
  void an_observation_asks_nothing_and_comes_again_at_once() {
    clock.forward(Duration.ofSeconds(10));

    ObservedCluster observed = observe();

    assertThat(asked).isEmpty();
    assertThat(observed.health().review()).isEqualTo(SCHEDULED.plusSeconds(10).plusMillis(1));
  }

  @Test
  void a_reconciliation_asks_one_question_and_only_about_the_first_of_many_pods() {
    given_many_pods_wait();

    for (int i = 1; i <= 10; i++) {
      reconcile();
      assertThat(asked).hasSize(Math.min(i, 3));
    }

    assertThat(asked).containsExactly("orders-jm", "orders-tm-1", "orders-tm-10");
    assertThat(observe().health().problems()).hasSize(3);
  }

  @Test
  void a_question_that_is_not_answered_holds_all_others_for_a_while() {
    given_many_pods_wait();
    fails = SILENCE;
    takes = Duration.ofSeconds(5);

    reconcile();
    assertThat(observe().health().review()).isEqualTo(clock.instant().plusSeconds(30));
    for (int second = 1; second < 30; second++) {
      clock.forward(Duration.ofSeconds(1));
      reconcile();
    }
    assertThat(asked).hasSize(1);

    clock.forward(Duration.ofSeconds(1));
    reconcile();
    assertThat(asked).hasSize(2);
  }

  /** As in a namespace whose events may not be read. */
  @Test
  void one_that_is_refused_holds_no_other() {
    given_many_pods_wait();
    fails = new KubernetesClientException("forbidden", 403, null);

    reconcile();
    reconcile();

    assertThat(asked).containsExactly("orders-jm", "orders-tm-1");
  }

  @Test
  void an_answer_counts_from_when_it_came() {
    takes = Duration.ofSeconds(4);
    clock.forward(Duration.ofSeconds(10));
    reconcile();

    clock.forward(Duration.ofSeconds(29));
    reconcile();
    assertThat(asked).hasSize(1);

    clock.forward(Duration.ofSeconds(1));
    reconcile();
    assertThat(asked).hasSize(2);
  }

  private void given_many_pods_wait() {
    pods =
        Stream.concat(
                pods.stream(),
                IntStream.rangeClosed(1, 100)
                    .mapToObj(i -> creating("orders-tm-" + i, Labels.COMPONENT_TASK_MANAGER)))
            .toList();
    clock.forward(Duration.ofSeconds(10));
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

  private static Pod creating(String name, String component) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .withUid(name)
        .withLabels(Map.of(Labels.COMPONENT, component))
        .endMetadata()
        .withNewStatus()
        .withPhase("Pending")
        .addNewCondition()
        .withType("PodScheduled")
        .withStatus("True")
        .withLastTransitionTime(SCHEDULED.toString())
        .endCondition()
        .endStatus()
        .build();
  }
}
