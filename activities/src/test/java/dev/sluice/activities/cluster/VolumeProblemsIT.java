package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.Pods;
import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What Kubernetes' events say of a pod that waits for its volumes. */
@ExtendWith(ApiServer.Extension.class)
class VolumeProblemsIT {

  private static final Instant NINE = Instant.parse("2026-11-21T09:00:00Z");
  private static final String NOT_FOUND =
      "MountVolume.SetUp failed for volume \"keys\" : secret \"keys\" not found";

  private KubernetesClient client;
  private Pod pod;

  @BeforeEach
  void create(ApiServer server) {
    client = server.client();
    pod =
        new PodBuilder(Pods.jobManager())
            .editMetadata()
            .withNamespace(server.namespace())
            .withUid("8d7c6b5a-0000-4000-8000-000000000001")
            .endMetadata()
            .build();
  }

  private void event(String uid, String reason, String message, Instant at) {
    client
        .resource(
            new EventBuilder()
                .withNewMetadata()
                .withNamespace(pod.getMetadata().getNamespace())
                .withGenerateName("orders-0.")
                .endMetadata()
                .withNewInvolvedObject()
                .withKind("Pod")
                .withNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .withUid(uid)
                .endInvolvedObject()
                .withType("Warning")
                .withReason(reason)
                .withMessage(message)
                .withLastTimestamp(at.toString())
                .build())
        .create();
  }

  private void event(String reason, String message, Instant at) {
    event(pod.getMetadata().getUid(), reason, message, at);
  }

  @Test
  void aMountThatFailsIsTold() {
    event("Scheduled", "Successfully assigned", NINE);
    event("FailedMount", NOT_FOUND, NINE.plusSeconds(8));

    assertThat(new VolumeProblems(client).of(pod))
        .contains(
            new PodProblem(
                "FailedMount", "pod orders-0 waits for its volumes: " + NOT_FOUND, true));
  }

  @Test
  void aVolumeThatCannotBeAttachedYetMayPass() {
    event("FailedAttachVolume", "Multi-Attach error for volume \"pvc-1\"", NINE);

    assertThat(new VolumeProblems(client).of(pod)).map(PodProblem::lasting).contains(false);
  }

  /** As on a node that is busy, or with a share that answers late. */
  @Test
  void aMountThatTimesOutMayPass() {
    event("FailedMount", "failed to sync configmap cache: timed out waiting", NINE);

    assertThat(new VolumeProblems(client).of(pod)).map(PodProblem::lasting).contains(false);
  }

  @Test
  void onceItsImageIsPulledItsVolumesAreMounted() {
    event("FailedMount", NOT_FOUND, NINE);
    event("Pulling", "Pulling image \"flink\"", NINE);

    assertThat(new VolumeProblems(client).of(pod)).isEmpty();
  }

  @Test
  void whatIsSaidOfAnotherPodOfTheNameDoesNotCount() {
    event("8d7c6b5a-0000-4000-8000-000000000002", "FailedMount", NOT_FOUND, NINE);

    assertThat(new VolumeProblems(client).of(pod)).isEmpty();
  }
}
