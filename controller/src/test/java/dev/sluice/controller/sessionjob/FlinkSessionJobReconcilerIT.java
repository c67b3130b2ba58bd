package dev.sluice.controller.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.LifecycleState;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.controller.support.FakeCluster;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** From the spec of a session job to a run and a status. */
class FlinkSessionJobReconcilerIT extends SessionJobScenario {

  @Test
  void a_new_resource_gets_its_finalizer_and_starts_Deploy_on_its_lane() {
    create(ORDERS);

    soon().until(() -> isOpen(job(ORDERS), "Deploy"));

    assertThat(temporal.signals(lane(job(ORDERS)))).containsExactly("retarget 1");
    assertThat(temporal.summaries()).contains("deploy " + namespace + "/orders 1");
    assertThat(job(ORDERS).getMetadata().getFinalizers())
        .containsExactly(FlinkSessionJob.FINALIZER);
  }

  @Test
  void two_jobs_on_one_cluster_run_and_each_tells_of_its_own() {
    given_the_session_cluster_runs();
    given_it_runs(ORDERS, ORDERS_JOB);
    given_it_runs(CLICKS, CLICKS_JOB);

    flink.andJob(CLICKS_JOB, FlinkJobState.FAILED, 0, 3);

    soon().until(() -> condition(job(CLICKS), "Running").equals("False/Failed"));
    assertThat(condition(job(ORDERS), "Ready")).isEqualTo("True/UpToDate");
    assertThat(job(ORDERS).getStatus().jobStatus().jobId()).isEqualTo(ORDERS_JOB);
    assertThat(job(ORDERS).getStatus().lifecycleState()).isEqualTo(LifecycleState.STABLE);
    assertThat(job(CLICKS).getStatus().lifecycleState()).isEqualTo(LifecycleState.FAILED);
    assertThat(isOpen(job(CLICKS), "Recover")).isFalse();
  }

  /** Apache's operator has a mutating webhook for it. */
  @Test
  void each_job_carries_the_label_of_its_cluster_also_when_somebody_removes_it() {
    create(ORDERS);
    soon().until(() -> labels().equals(Map.of(FlinkSessionJob.TARGET_SESSION, CLUSTER)));

    api.client()
        .resource(job(ORDERS))
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\":{\"labels\":null,\"annotations\":{\"sluice.dev/retry\":\"now\"}}}");

    soon().until(() -> labels().equals(Map.of(FlinkSessionJob.TARGET_SESSION, CLUSTER)));
  }

  private Map<String, String> labels() {
    return Objects.requireNonNullElse(job(ORDERS).getMetadata().getLabels(), Map.of());
  }

  @Test
  void nothing_is_written_while_nothing_changes_however_often_Flink_is_asked() {
    given_the_session_cluster_runs();
    given_it_runs(ORDERS, ORDERS_JOB);
    given_it_runs(CLICKS, CLICKS_JOB);
    given_the_controller_is_at_rest();
    int asked = flink.jobsAsked();

    soon().until(() -> flink.jobsAsked() > asked + 20);

    assertThat(controller.writes()).isEmpty();
  }

  @Test
  void a_job_that_waits_for_its_cluster_says_so_and_is_looked_at_when_that_comes() {
    create(ORDERS);
    soon().until(() -> isOpen(job(ORDERS), "Deploy"));
    soon()
        .until(
            () ->
                message(ORDERS, "Progressing").contains("FlinkDeployment session does not exist."));

    given_the_session_cluster_runs();

    soon().until(() -> !message(ORDERS, "Progressing").contains("waits for it"));
    assertThat(condition(job(ORDERS), "Progressing")).isEqualTo("True/Deploying");
  }

  @Test
  void a_cluster_that_goes_is_told_and_so_is_its_return() {
    given_the_session_cluster_runs();
    given_it_runs(ORDERS, ORDERS_JOB);
    FakeCluster cluster = new FakeCluster(api.client(), namespace, CLUSTER);

    cluster.notReady("jm-1");
    soon().until(() -> condition(job(ORDERS), "Ready").endsWith("/ClusterNotReady"));
    assertThat(job(ORDERS).getStatus().jobStatus().state()).isEqualTo(FlinkJobState.RECONCILING);

    cluster.kill("jm-1");
    cluster.pod("jm-2");
    soon().until(() -> condition(job(ORDERS), "Ready").equals("True/UpToDate"));
  }

  @Test
  void a_job_that_its_cluster_does_not_know_any_more_is_recovered() {
    given_the_session_cluster_runs();
    given_it_runs(ORDERS, ORDERS_JOB);

    flink.without(ORDERS_JOB);

    soon().until(() -> isOpen(job(ORDERS), "Recover"));
    soon().until(() -> condition(job(ORDERS), "Ready").equals("False/JobNotRunning"));
  }
}
