package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobOverview.TaskState;
import dev.sluice.activities.flink.JobType;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import dev.sluice.controller.support.FakeFlink;
import dev.sluice.workflows.model.ClusterRef;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class ClusterPollTest {

  private final FakeFlink flink = new FakeFlink().job("job-1", FlinkJobState.RUNNING, 3, 3);
  private final LongAdder passes = new LongAdder();
  private final ClusterPoll poll =
      new ClusterPoll(
          flink.client(),
          new PollTarget(
              Endpoint.of(new ClusterRef("default", "orders")), "job-1", "a", null, false),
          passes);

  @Test
  void a_job_that_runs_costs_one_request_per_pass() {
    polls(20);

    assertThat(flink.jobsAsked()).isEqualTo(20);
    assertThat(passes.sum()).isEqualTo(20);
    assertThat(flink.infoAsked()).isEqualTo(1);
    assertThat(flink.causesAsked()).isZero();
    assertThat(flink.sizeAsked()).isZero();
    assertThat(flink.typeAsked()).isZero();
  }

  @Test
  void a_cluster_that_does_not_say_what_it_is_is_asked_that_with_one_pass_in_64() {
    flink.tellsInfo(false);

    polls(130);
    assertThat(flink.infoAsked()).isEqualTo(3);
    assertThat(answered().clusterInfo()).doesNotContainKey("flink-version");

    flink.tellsInfo(true);
    polls(64);
    assertThat(answered().clusterInfo()).containsEntry("flink-version", "1.20.5");
  }

  @Test
  void the_size_of_the_state_is_asked_for_with_one_pass_in_120() {
    polls(160);

    assertThat(flink.sizeAsked()).isEqualTo(2);
    assertThat(answered().clusterInfo()).containsEntry("state-size", "42424242");
  }

  @Test
  void the_size_of_the_state_of_a_job_that_does_not_run_is_not_asked_for() {
    flink.job("job-1", FlinkJobState.RESTARTING, 0, 3);

    polls(60);

    assertThat(flink.sizeAsked()).isZero();
  }

  @Test
  void a_lost_task_is_told() {
    assertThat(job().isUp()).isTrue();

    flink.job("job-1", FlinkJobState.RUNNING, 2, 3);

    assertThat(job().isUp()).isFalse();
  }

  @Test
  void two_answers_that_do_not_come_do_not_make_a_job_unknown_and_the_third_does() {
    polls(1);
    flink.fails();

    assertThat(job().state()).isEqualTo(FlinkJobState.RUNNING);
    assertThat(job().state()).isEqualTo(FlinkJobState.RUNNING);
    assertThat(poll.get())
        .isEqualTo(
            new Unreachable("The JobManager of default/orders does not answer its REST API"));

    flink.job("job-1", FlinkJobState.RUNNING, 3, 3);
    assertThat(job().state()).isEqualTo(FlinkJobState.RUNNING);
  }

  @Test
  void a_cluster_that_never_answered_is_unreachable_at_the_first_failure() {
    flink.fails();

    assertThat(poll.get()).isInstanceOf(Unreachable.class);
  }

  /** Its address is none. */
  @Test
  void a_cluster_that_cannot_even_be_asked_counts_as_not_answered() {
    flink.refusesToAsk(true);
    assertThat(poll.get()).isInstanceOf(Unreachable.class);

    flink.refusesToAsk(false);
    assertThat(poll.get()).isInstanceOf(Answered.class);
  }

  @Test
  void a_finished_task_counts_as_up() {
    flink.job(
        "job-1",
        FlinkJobState.RUNNING,
        new JobOverview.Tasks(4, Map.of(TaskState.RUNNING, 3, TaskState.FINISHED, 1)));

    assertThat(job().isUp()).isTrue();
  }

  @Test
  void a_batch_job_is_up_while_its_later_stages_wait() {
    flink.type(JobType.BATCH).job("job-1", FlinkJobState.RUNNING, 1, 3);

    assertThat(job().isUp()).isTrue();
  }

  @Test
  void the_type_of_a_job_is_asked_once_and_a_streaming_job_is_not_up_while_a_task_waits() {
    flink.job("job-1", FlinkJobState.RUNNING, 1, 3);

    polls(3);

    assertThat(flink.typeAsked()).isEqualTo(1);
    assertThat(job().isUp()).isFalse();
  }

  @Test
  void a_failed_job_is_told_with_its_root_cause_which_is_asked_for_once() {
    flink.job("job-1", FlinkJobState.FAILED, 0, 3).failsBecause("IllegalStateException", "boom");

    assertThat(job().failure()).contains("IllegalStateException: boom (in task map)");
    polls(5);
    assertThat(flink.causesAsked()).isEqualTo(1);
  }

  @Test
  void a_failed_job_is_told_at_once_and_its_cause_when_Flink_knows_it() {
    flink.job("job-1", FlinkJobState.FAILED, 0, 3);
    assertThat(job().failure()).isEmpty();

    flink.failsBecause("IllegalStateException", "boom");

    assertThat(job().failure()).contains("IllegalStateException: boom (in task map)");
  }

  @Test
  void a_cause_that_Flink_never_tells_is_asked_for_a_few_times_and_told_as_unknown() {
    flink.job("job-1", FlinkJobState.FAILED, 0, 3);

    polls(10);

    assertThat(job().failure()).contains("Flink does not say why");
    assertThat(flink.causesAsked()).isEqualTo(5);
  }

  @Test
  void a_job_that_restarted_between_two_passes_is_told_with_its_exception() {
    polls(1);

    flink
        .modified(Instant.ofEpochMilli(9_000))
        .job("job-1", FlinkJobState.RUNNING, 3, 3)
        .failsBecause("IOException", "disk full");

    assertThat(job().exceptions()).hasSize(1);
    assertThat(job().failure()).isEmpty();
  }

  @Test
  void another_failure_has_a_cause_of_its_own() {
    flink.job("job-1", FlinkJobState.FAILED, 0, 3).failsBecause("IllegalStateException", "boom");
    polls(1);

    flink.job("job-2", FlinkJobState.FAILED, 0, 3).failsBecause("IOException", "disk full");

    assertThat(job().failure().orElseThrow()).startsWith("IOException: disk full");
  }

  private void polls(int times) {
    for (int i = 0; i < times; i++) {
      ObservedJob unused = poll.get();
    }
  }

  private Answered answered() {
    return (Answered) poll.get();
  }

  private Job job() {
    return answered().job().orElseThrow();
  }
}
