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
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MountVolume.SetUp failed for volume \"keys\" : secret \"keys\" not found",
        "MountVolume.SetUp failed for volume \"conf\" : configmap \"conf\" not found",
        "MountVolume.SetUp failed for volume \"keys\" : references non-existent secret key: a",
        "error processing PVC default/data: failed to fetch PVC from API server:"
            + " persistentvolumeclaims \"data\" not found",
      })
  void whatThePodNamesAndIsNotThereIsMissing(String said) {
    assertThat(VolumeProblems.isMissing(said)).isTrue();
  }

  /** As on a node that has just come, until the driver's own pod runs there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "MountVolume.MountDevice failed for volume \"pvc-1\" : kubernetes.io/csi: attacher."
            + "MountDevice failed to create newCsiDriverClient: driver name efs.csi.aws.com not"
            + " found in the list of registered CSI drivers",
        "MountVolume.SetUp failed for volume \"share\" : mount failed: exit status 32: mount.nfs:"
            + " server not found",
        "MountVolume.SetUp failed for volume \"data\" : path \"/mnt/data\" is non-existent",
        "failed to sync configmap cache: timed out waiting for the condition",
      })
  void whatTheNodeDoesNotHaveYetIsNot(String said) {
    assertThat(VolumeProblems.isMissing(said)).isFalse();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("others")
  void anotherPodIsNot(String why, Pod pod) {
    assertThat(VolumeProblems.askAt(pod)).isEmpty();
  }
}
