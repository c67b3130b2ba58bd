package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import org.junit.jupiter.api.Test;

/** Pods that are lost or killed, with the API server's watches in between. */
class PodTroubleIT extends ReconcilerScenario {

  @Test
  void a_JobManager_pod_that_is_gone_is_in_the_status() {
    given_generation_1_is_deployed();

    cluster().kill("jm-1");

    soon().until(() -> condition("Ready").equals("False/ClusterNotReady/1"));
  }

  @Test
  void a_JobManager_pod_that_is_not_ready_is_in_the_status() {
    given_generation_1_is_deployed();

    cluster().notReady("jm-1");

    soon().until(() -> condition("Ready").equals("False/ClusterNotReady/1"));
  }

  @Test
  void a_volume_that_cannot_be_mounted_is_told_with_what_it_lacks() {
    given_generation_1_is_deployed();

    cluster().cannotMount("jm-1", "MountVolume.SetUp failed: secret \"keys\" not found");

    soon().until(() -> condition("Ready").equals("False/FailedMount/1"));
    assertThat(message("Ready")).contains("secret \"keys\" not found", "pod template");
    assertThat(condition("Stalled")).isEqualTo("True/FailedMount/1");
    soon().until(() -> events("FailedMount").size() == 2);
  }

  @Test
  void a_TaskManager_that_was_killed_for_its_memory_is_told_although_its_pod_is_gone() {
    given_generation_1_is_deployed();

    cluster().taskManagerIsKilledForItsMemory("tm-1");
    flink.job(JOB_ID, FlinkJobState.RESTARTING, 0, 3);

    soon().until(() -> events("OOMKilled").size() == 1);
    assertThat(events("OOMKilled").get(0).getMessage()).contains("TaskManager pod orders-tm-1");
    soon().until(() -> condition("Ready").equals("False/OOMKilled/1"));
  }

  @Test
  void TaskManagers_that_are_killed_again_and_again_are_one_event() {
    given_generation_1_is_deployed();
    cluster().taskManagerIsKilledForItsMemory("tm-1");
    soon().until(() -> events("OOMKilled").size() == 1);

    cluster().taskManagerIsKilledForItsMemory("tm-2");
    restartController();
    soon().until(() -> condition("Ready").equals("True/UpToDate/1"));

    assertThat(events("OOMKilled")).hasSize(1);
  }
}
