package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import dev.sluice.controller.support.FakeFlink;
import dev.sluice.workflows.model.ClusterRef;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/** The jobs of session jobs are found in what their cluster is asked anyway. */
class PolledJobTest {

  private final FakeFlink flink =
      new FakeFlink()
          .job("job-1", FlinkJobState.RUNNING, 3, 3)
          .andJob("job-2", FlinkJobState.RESTARTING, 0, 3);
  private final ClusterPoll cluster =
      new ClusterPoll(
          flink.client(),
          new PollTarget(
              new Endpoint(new ClusterRef("default", "session"), 8081), "c-1", "s", null, true),
          new LongAdder());
  private final PolledJob first = polled("job-1");
  private final PolledJob second = polled("job-2");

  @Test
  void each_sees_its_own_job() {
    pass();

    assertThat(job(first).state()).isEqualTo(FlinkJobState.RUNNING);
    assertThat(job(second).state()).isEqualTo(FlinkJobState.RESTARTING);
  }

  @Test
  void no_other_job_of_the_cluster_takes_the_place_of_one_that_is_unknown() {
    pass();

    assertThat(((Answered) polled("job-3").get()).job()).isEmpty();
  }

  @Test
  void many_jobs_cost_no_more_requests_than_none() {
    pass();
    for (int i = 0; i < 50; i++) {
      ObservedJob unused = polled("job-1").get();
    }

    assertThat(flink.jobsAsked()).isEqualTo(1);
  }

  @Test
  void the_same_answer_is_looked_at_once() {
    pass();
    first.get();
    flink.job("job-1", FlinkJobState.FAILED, 0, 3);
    pass();

    for (int i = 0; i < 9; i++) {
      ObservedJob unused = first.get();
    }

    assertThat(flink.causesAsked()).isEqualTo(1);
  }

  @Test
  void a_change_of_one_job_is_no_news_for_the_others() {
    pass();
    ObservedJob one = first.get();
    ObservedJob other = second.get();

    flink.andJob("job-2", FlinkJobState.RUNNING, 3, 3);
    pass();

    assertThat(first.get().differsFrom(one)).isFalse();
    assertThat(second.get().differsFrom(other)).isTrue();
  }

  @Test
  void a_cluster_that_is_silent_makes_its_jobs_unreachable() {
    pass();
    flink.fails();
    pass();
    assertThat(first.get()).isInstanceOf(Answered.class);

    pass();
    pass();

    assertThat(first.get()).isInstanceOf(Unreachable.class);
  }

  @Test
  void nothing_is_known_while_the_cluster_is_not_asked() {
    assertThat(first.get()).isEqualTo(new Pending());
    assertThat(new PolledJob(flink.client(), target("job-1"), () -> null).get())
        .isEqualTo(new Pending());
  }

  private void pass() {
    ObservedJob unused = cluster.get();
  }

  private PolledJob polled(String jobId) {
    return new PolledJob(flink.client(), target(jobId), () -> cluster);
  }

  private static PolledJob.Target target(String jobId) {
    return new PolledJob.Target(new ResourceID("session", "default"), "uid-1", jobId, "s");
  }

  private static Job job(PolledJob polled) {
    return ((Answered) polled.get()).job().orElseThrow();
  }
}
