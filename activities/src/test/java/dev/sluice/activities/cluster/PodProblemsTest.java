package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.Pods;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodProblemsTest {

  @ParameterizedTest
  @CsvSource({
    "ErrImagePull, 0, true",
    "ImagePullBackOff, 0, true",
    "CreateContainerConfigError, 0, true",
    "CrashLoopBackOff, 3, true",
    "CrashLoopBackOff, 2, false",
    "ContainerCreating, 0, false",
    "PodInitializing, 0, false",
  })
  void aWaitingContainerIsAProblemWhenItsReasonStays(String reason, int restarts, boolean problem) {
    Pod pod = Pods.waiting(Pods.jobManager(), reason, "because", restarts);

    List<PodProblem> problems = PodProblems.of(List.of(pod), List.of());

    assertThat(problems).hasSize(problem ? 1 : 0).allMatch(PodProblem::lasting);
  }

  /** FLINK-37470. */
  @Test
  void anInitContainerThatCannotStartIsAProblemToo() {
    Pod waiting = Pods.waiting(Pods.jobManager(), "ErrImagePull", "no such image", 0);
    Pod pod =
        new PodBuilder(waiting)
            .editStatus()
            .withInitContainerStatuses(waiting.getStatus().getContainerStatuses())
            .withContainerStatuses()
            .endStatus()
            .build();

    assertThat(PodProblems.of(List.of(pod), List.of()))
        .extracting(PodProblem::reason)
        .containsExactly("ErrImagePull");
  }

  @Test
  void aCrashLoopSaysHowItEndedAndWhereToLook() {
    Pod pod = Pods.waiting(Pods.jobManager(), "CrashLoopBackOff", "back-off 40s", 4);

    assertThat(PodProblems.of(List.of(pod), List.of()))
        .extracting(PodProblem::message)
        .containsExactly(
            "container flink-main-container of pod orders-0 crashed 4 times, the last time with"
                + " exit code 2: Error. See kubectl logs orders-0 --previous.");
  }

  @Test
  void aPodThatNoNodeTakesMayStillFindOne() {
    Pod pod = Pods.unschedulable(Pods.taskManager(), "Insufficient cpu");

    assertThat(PodProblems.of(List.of(pod), List.of()))
        .containsExactly(
            new PodProblem(
                "Unschedulable",
                "pod orders-taskmanager-1-1 cannot be scheduled: Insufficient cpu",
                false));
  }

  @Test
  void aQuotaShowsAtTheDeployment() {
    assertThat(PodProblems.of(List.of(), List.of(refused("jobmanager"), refused("taskmanager"))))
        .extracting(PodProblem::message)
        .containsExactly(
            "Kubernetes refuses the JobManager pod: exceeded quota: small",
            "Kubernetes refuses a TaskManager pod: exceeded quota: small");
  }

  private static Deployment refused(String component) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .addToLabels("component", component)
        .endMetadata()
        .withNewStatus()
        .addNewCondition()
        .withType("ReplicaFailure")
        .withStatus("True")
        .withMessage("exceeded quota: small")
        .endCondition()
        .endStatus()
        .build();
  }

  @Test
  void aPodThatIsBeingDeletedHasNoProblems() {
    Pod pod =
        new PodBuilder(Pods.waiting(Pods.jobManager(), "ErrImagePull", "no", 0))
            .editMetadata()
            .withDeletionTimestamp("2026-11-21T08:00:00Z")
            .endMetadata()
            .build();

    assertThat(PodProblems.of(List.of(pod), List.of())).isEmpty();
  }

  @Test
  void lastingProblemsComeFirst() {
    List<Pod> pods =
        List.of(
            Pods.unschedulable(Pods.taskManager(), "full"),
            Pods.waiting(Pods.jobManager(), "ErrImagePull", "no", 0));

    assertThat(PodProblems.of(pods, List.of()))
        .extracting(PodProblem::reason)
        .containsExactly("ErrImagePull", "Unschedulable");
  }
}
