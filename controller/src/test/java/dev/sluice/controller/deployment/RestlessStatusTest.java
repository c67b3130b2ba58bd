package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How often the status of a resource is written that does not come to rest. */
class RestlessStatusTest extends StatusWritesScenario {

  @Test
  void a_job_that_restarts_each_second_costs_less_and_less() {
    given_a_settled_resource();

    for (int second = 0; second < 300; second++) {
      clock.forward(Duration.ofSeconds(1));
      reconcile(
          resource.job(second % 2 == 0 ? FlinkJobState.RESTARTING : FlinkJobState.RUNNING, false));
    }

    assertThat(writes).hasSizeBetween(8, 10);
    assertThat(events).hasSizeLessThanOrEqualTo(writes.size());
  }

  @Test
  void what_a_restless_job_comes_to_in_the_end_is_written() {
    given_a_restless_job();
    reconcile(resource.job(FlinkJobState.RUNNING, true));
    Duration wait = due(resource).orElseThrow();

    clock.forward(wait);
    reconcile(resource);

    assertThat(writes).last().isEqualTo("Ready=True/UpToDate RUNNING");
    assertThat(due(resource)).isEmpty();
  }

  @Test
  void a_restless_job_that_fails_for_good_is_written_at_once_and_so_is_its_cause() {
    given_a_restless_job();

    assertThat(due(resource.job(FlinkJobState.FAILED, false))).contains(Duration.ZERO);
    reconcile(resource);
    assertThat(due(resource.failed("IllegalStateException: boom"))).contains(Duration.ZERO);
  }

  @Test
  void a_new_spec_of_a_restless_job_is_written_at_once() {
    given_a_restless_job();

    assertThat(due(resource.image("flink:2.2").generation(7))).contains(Duration.ZERO);
  }

  @Test
  void a_restless_JobManager_is_spaced_as_a_restless_job_is() {
    given_a_settled_resource();

    for (int second = 0; second < 300; second++) {
      clock.forward(Duration.ofSeconds(1));
      reconcile(resource.cluster(second % 2 == 0 ? JobManager.STARTING : JobManager.FAILING));
    }

    assertThat(writes).hasSizeBetween(8, 10);
  }

  private void given_a_restless_job() {
    given_a_settled_resource();
    for (int second = 0; second < 60; second++) {
      clock.forward(Duration.ofSeconds(1));
      reconcile(
          resource.job(second % 2 == 0 ? FlinkJobState.RESTARTING : FlinkJobState.RUNNING, false));
    }
  }
}
