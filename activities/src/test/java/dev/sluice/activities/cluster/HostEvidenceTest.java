package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.resource.HostedJob;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.Refs;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which process of a JobManager was asked to run a job, and whether it is still there. */
class HostEvidenceTest {

  private static final String PROCESS = "containerd://1";

  @Test
  void aProcessThatDoesNotSayItsContainerIsNotKnown() {
    assertThat(HostEvidence.process(List.of(Pods.running(Pods.jobManager())))).isNull();
    assertThat(HostEvidence.process(List.of(Pods.jobManager(PROCESS)))).isEqualTo(PROCESS);
  }

  private static HostedJob.Submitted asked(String jobManager) {
    return new HostedJob.Submitted(Refs.JOB_ID, 1L, "c1", jobManager, false, null);
  }

  @Test
  void aProcessWhosePodTerminatesMayStillRunTheJob() {
    Pod old =
        new PodBuilder(Pods.jobManager(PROCESS))
            .editMetadata()
            .withDeletionTimestamp("2026-01-01T00:00:00Z")
            .endMetadata()
            .build();
    Pod next = Pods.jobManager("containerd://2");

    assertThat(HostEvidence.isOtherProcess(asked(PROCESS), List.of(old, next))).isFalse();
    assertThat(HostEvidence.isOtherProcess(asked(PROCESS), List.of(next))).isTrue();
  }

  @Test
  void aSidecarThatIsRestartedIsNoOtherProcess() {
    Pod restarted =
        new PodBuilder(Pods.jobManager(PROCESS))
            .editStatus()
            .addNewContainerStatus()
            .withName("proxy")
            .withContainerID("containerd://proxy-2")
            .endContainerStatus()
            .endStatus()
            .build();

    assertThat(HostEvidence.process(List.of(restarted))).isEqualTo(PROCESS);
  }
}
