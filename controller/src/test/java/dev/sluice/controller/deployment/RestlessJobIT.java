package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import org.junit.jupiter.api.Test;

/** A job that does not come to rest, with a real API server that would have to bear it. */
class RestlessJobIT extends ReconcilerScenario {

  @Test
  void a_job_that_changes_with_each_poll_is_written_a_few_times_and_as_it_is_in_the_end() {
    given_generation_1_is_deployed();
    controller.forgetWrites();

    for (int change = 0; change < 20; change++) {
      boolean down = change % 2 == 0;
      flink.job(JOB_ID, down ? FlinkJobState.RESTARTING : FlinkJobState.RUNNING, down ? 0 : 2, 3);
      int asked = flink.jobsAsked();
      soon().until(() -> flink.jobsAsked() > asked + 1);
    }
    flink.job(JOB_ID, FlinkJobState.RUNNING, 3, 3);
    soon().until(() -> condition("Ready").equals("True/UpToDate/1"));

    assertThat(controller.writes())
        .filteredOn("PATCH flinkdeployments/orders/status"::equals)
        .hasSizeBetween(3, 6);
    assertThat(controller.writes()).hasSizeLessThan(12);
  }
}
