package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.cluster.PodProblem;
import dev.sluice.api.Annotations;
import dev.sluice.api.Labels;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is said of pods whose volumes are not mounted. */
class VolumeAnswersTest {

  /** No pod waits for anything. */
  static final VolumeAnswers NONE = new VolumeAnswers(pod -> Optional.empty());

  private static final Instant SCHEDULED = Instant.parse("2026-11-21T10:00:00Z");
  private static final PodProblem NO_SECRET =
      new PodProblem(
          "FailedMount", "pod orders-jm waits for its volumes: secret \"keys\" not found", true);

  private Optional<PodProblem> says = Optional.of(NO_SECRET);
  private boolean up = true;
  private int asked;
  private final VolumeAnswers answers =
      new VolumeAnswers(
          pod -> {
            asked++;
            if (!up) {
              throw new KubernetesClientException("no answer");
            }
            return says;
          });

  private ObservedCluster after(Duration since) {
    return ClusterObserver.of(
        "uid-1",
        List.of(deployment()),
        List.of(creating()),
        List.of(),
        answers,
        SCHEDULED.plus(since));
  }

  @Test
  void a_pod_that_has_just_got_its_node_is_not_asked_about_and_looked_at_again() {
    ObservedCluster observed = after(Duration.ofSeconds(4));

    assertThat(observed.health().problems()).isEmpty();
    assertThat(observed.health().review()).isEqualTo(SCHEDULED.plusSeconds(10));
    assertThat(asked).isZero();
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
  void the_API_server_is_asked_once_in_a_while_however_often_the_pod_is_looked_at() {
    for (int second = 10; second < 70; second++) {
      assertThat(after(Duration.ofSeconds(second)).health().problems()).hasSize(1);
    }

    assertThat(asked).isEqualTo(2);
    assertThat(after(Duration.ofSeconds(69)).health().review())
        .isEqualTo(SCHEDULED.plusSeconds(70));
  }

  @Test
  void what_was_found_stands_while_the_API_server_does_not_answer() {
    after(Duration.ofSeconds(10));
    up = false;

    assertThat(after(Duration.ofSeconds(50)).health().problems()).hasSize(1);
  }

  @Test
  void an_API_server_that_never_answered_is_no_problem_of_the_pod() {
    up = false;

    assertThat(after(Duration.ofSeconds(10)).health().problems()).isEmpty();
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

  private static Pod creating() {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName("orders-jm")
        .withUid("orders-jm")
        .withLabels(Map.of(Labels.COMPONENT, Labels.COMPONENT_JOB_MANAGER))
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
