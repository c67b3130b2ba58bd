package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import dev.sluice.controller.support.FakeFlink;
import dev.sluice.workflows.model.ClusterRef;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The jobs of session jobs are found in what their cluster is asked anyway. */
class PolledJobsTest {

  private static final String CLUSTER = "uid-cluster";

  private final FakeFlink flink =
      new FakeFlink()
          .job("job-1", FlinkJobState.RUNNING, 3, 3)
          .andJob("job-2", FlinkJobState.RESTARTING, 0, 3);
  private final AtomicInteger changes = new AtomicInteger();
  private JobPollers pollers = pollers(Duration.ofMillis(20));

  @AfterEach
  void close() {
    pollers.close();
  }

  @Test
  void each_sees_its_own_job() {
    look("uid-1", "job-1");
    look("uid-2", "job-2");

    pollCluster("c-1");

    soon().until(() -> seen("uid-2") instanceof Answered);
    assertThat(job("uid-1").state()).isEqualTo(FlinkJobState.RUNNING);
    assertThat(job("uid-2").state()).isEqualTo(FlinkJobState.RESTARTING);
  }

  @Test
  void no_other_job_of_the_cluster_takes_the_place_of_one_that_is_unknown() {
    look("uid-3", "job-3");

    pollCluster("c-1");

    soon().until(() -> seen("uid-3") instanceof Answered);
    assertThat(((Answered) seen("uid-3")).job()).isEmpty();
  }

  @Test
  void the_id_of_the_cluster_that_answered_is_told() {
    look("uid-1", "job-1");

    pollCluster("c-1");

    soon().until(() -> seen("uid-1") instanceof Answered);
    assertThat(pollers.hosted(CLUSTER, "uid-1", "s").clusterId()).isEqualTo("c-1");
  }

  @Test
  void many_jobs_cost_no_more_requests_than_none() {
    pollers.close();
    pollers = pollers(Duration.ofHours(1));
    flink.holds();
    pollCluster("c-1");
    soon().until(() -> flink.jobsAsked() == 1);
    flink.release();
    soon().until(() -> pollers.observed(CLUSTER, "c-1") instanceof Answered);

    for (int i = 0; i < 50; i++) {
      look("uid-" + i, "job-1");
    }
    soon().until(() -> seen("uid-49") instanceof Answered);

    // one for each that came while nothing was asked, and never one for each poll
    assertThat(flink.mostUnderWay()).isEqualTo(1);
    int before = flink.jobsAsked();
    pollers.poll(CLUSTER, target("c-1", "another hint"), () -> {});
    soon().until(() -> flink.jobsAsked() == before + 1);
    assertThat(flink.jobsAsked()).isEqualTo(before + 1);
  }

  @Test
  void a_change_of_one_job_wakes_only_whoever_looks_for_it() {
    AtomicInteger others = new AtomicInteger();
    look("uid-1", "job-1");
    pollers.look(CLUSTER, "uid-2", new PolledJob.Target("job-2", "s"), others::incrementAndGet);
    pollCluster("c-1");
    soon().until(() -> changes.get() == 1 && others.get() == 1);

    flink.andJob("job-2", FlinkJobState.RUNNING, 3, 3);

    soon().until(() -> others.get() == 2);
    assertThat(changes).hasValue(1);
  }

  @Test
  void a_cluster_that_is_silent_makes_its_jobs_unreachable() {
    look("uid-1", "job-1");
    pollCluster("c-1");
    soon().until(() -> seen("uid-1") instanceof Answered);

    flink.fails();

    soon().until(() -> seen("uid-1") instanceof Unreachable);
  }

  @Test
  void what_another_set_of_processes_said_counts_no_more() {
    look("uid-1", "job-1");
    pollCluster("c-1");
    soon().until(() -> seen("uid-1") instanceof Answered);

    flink.holds();
    pollers.poll(CLUSTER, target("c-2", "p"), () -> {});

    assertThat(seen("uid-1")).isInstanceOf(Pending.class);
  }

  @Test
  void nothing_is_known_once_the_cluster_is_not_asked_any_more() {
    look("uid-1", "job-1");
    pollCluster("c-1");
    soon().until(() -> changes.get() == 1);

    pollers.forget(CLUSTER);

    assertThat(seen("uid-1")).isInstanceOf(Pending.class);
    assertThat(changes).hasValue(2);
  }

  @Test
  void an_answer_about_the_job_before_is_void() {
    look("uid-1", "job-1");
    pollCluster("c-1");
    soon().until(() -> seen("uid-1") instanceof Answered);
    flink.holds();

    look("uid-1", "job-2");

    assertThat(seen("uid-1")).isInstanceOf(Pending.class);
    flink.release();
    soon().until(() -> seen("uid-1") instanceof Answered);
    assertThat(job("uid-1").id()).isEqualTo("job-2");
  }

  private void look(String key, String jobId) {
    pollers.look(CLUSTER, key, new PolledJob.Target(jobId, "s"), changes::incrementAndGet);
  }

  private void pollCluster(String clusterId) {
    pollers.poll(CLUSTER, target(clusterId, "p"), () -> {});
  }

  private static PollTarget target(String clusterId, String hint) {
    return new PollTarget(
        new Endpoint(new ClusterRef("default", "session"), 8081),
        clusterId,
        clusterId,
        hint,
        null,
        true);
  }

  private ObservedJob seen(String key) {
    return pollers.hosted(CLUSTER, key, "s").job();
  }

  private Job job(String key) {
    return ((Answered) seen(key)).job().orElseThrow();
  }

  private JobPollers pollers(Duration interval) {
    return new JobPollers(flink.client(), new PollInterval(interval, 10_000, 3));
  }

  private static ConditionFactory soon() {
    return await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(5));
  }
}
