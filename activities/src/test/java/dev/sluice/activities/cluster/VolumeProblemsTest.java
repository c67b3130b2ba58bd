package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.activities.support.Pods;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which pods are asked about. */
class VolumeProblemsTest {

  private static final Instant NINE = Instant.parse("2026-11-21T09:00:00Z");
  private static final Pod CREATING = Pods.creating(Pods.jobManager(), NINE);

  static Stream<Arguments> others() {
    return Stream.of(
        arguments("it has no node", Pods.waiting(Pods.jobManager(), "ContainerCreating", "", 0)),
        arguments("it runs", Pods.running(CREATING)),
        arguments("its image is missing", with("ErrImagePull", 0)),
        arguments("a Secret for its environment is", with("CreateContainerConfigError", 0)),
        arguments("it ran before", with("ContainerCreating", 1)),
        arguments(
            "it is being deleted",
            new PodBuilder(CREATING)
                .editMetadata()
                .withDeletionTimestamp(NINE.toString())
                .endMetadata()
                .build()));
  }

  private static Pod with(String reason, int restarts) {
    return new PodBuilder(CREATING)
        .editStatus()
        .editFirstContainerStatus()
        .withRestartCount(restarts)
        .editState()
        .editWaiting()
        .withReason(reason)
        .endWaiting()
        .endState()
        .endContainerStatus()
        .endStatus()
        .build();
  }

  @Test
  void aPodWhoseContainersAreBeingCreatedIsAskedAboutTenSecondsAfterItHasANode() {
    assertThat(VolumeProblems.askAt(CREATING)).contains(NINE.plusSeconds(10));
    assertThat(VolumeProblems.askAt(with("PodInitializing", 0))).contains(NINE.plusSeconds(10));
  }

  @Test
  void aPodOfWhichTheKubeletHasSaidNothingYetIsAskedAbout() {
    Pod silent = new PodBuilder(CREATING).editStatus().withContainerStatuses().endStatus().build();

    assertThat(VolumeProblems.askAt(silent)).contains(NINE.plusSeconds(10));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("others")
  void anotherPodIsNot(String why, Pod pod) {
    assertThat(VolumeProblems.askAt(pod)).isEmpty();
  }
}
