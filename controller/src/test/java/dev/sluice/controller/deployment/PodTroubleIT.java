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
  void a_TaskManager_that_was_killed_for_its_memory_is_told() {
    given_generation_1_is_deployed();

    cluster().taskManagerIsKilledForItsMemory("tm-1");
    flink.job(JOB_ID, FlinkJobState.RESTARTING, 0, 3);

    soon().until(() -> events("OOMKilled").size() == 1);
    assertThat(events("OOMKilled").get(0).getMessage()).contains("TaskManager pod orders-tm-1");
    soon().until(() -> condition("Ready").equals("False/OOMKilled/1"));
  }
}
