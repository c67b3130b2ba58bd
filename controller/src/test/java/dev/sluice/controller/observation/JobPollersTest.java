package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobOverview.TaskState;
import dev.sluice.activities.flink.JobType;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.controller.support.FakeFlink;
import dev.sluice.workflows.model.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobPollersTest {

  private static final Duration NEVER = Duration.ofHours(1);
  private static final String KEY = "uid-1";

  private final FakeFlink flink = new FakeFlink().job("job-1", FlinkJobState.RUNNING, 3, 3);
  private final AtomicInteger changes = new AtomicInteger();
  private JobPollers pollers = pollers(Duration.ofMillis(10));

  @AfterEach
  void close() {
    pollers.close();
  }

  @Test
  void nothing_is_known_before_the_first_answer() {
    flink.holds();
    poll("a", "p");

    assertThat(pollers.observed(KEY, "a")).isInstanceOf(ObservedJob.Pending.class);
  }

  @Test
  void the_first_answer_is_told() {
    poll("a", "p");

    soon().until(() -> changes.get() == 1);
    assertThat(job().state()).isEqualTo(FlinkJobState.RUNNING);
    assertThat(job().isUp()).isTrue();
  }

  @Test
  void the_same_answer_again_is_not_told() {
    poll("a", "p");

    soon().until(() -> flink.jobsAsked() > 5);

    assertThat(changes).hasValue(1);
  }

  @Test
  void what_the_cluster_is_is_asked_once() {
    poll("a", "p");

    soon().until(() -> flink.jobsAsked() > 5);

    assertThat(flink.infoAsked()).isEqualTo(1);
  }

  @Test
  void a_cluster_that_does_not_say_what_it_is_is_asked_that_with_fewer_and_fewer_polls() {
    flink.tellsInfo(false);
    poll("a", "p");

    soon().until(() -> flink.jobsAsked() > 40);

    int asked = flink.infoAsked();
    assertThat(asked).isBetween(4, 6 + flink.jobsAsked() / 64);
  }

  @Test
  void what_the_cluster_is_is_told_when_it_says_so_in_the_end() {
    flink.tellsInfo(false);
    poll("a", "p");
    soon().until(() -> flink.infoAsked() > 2);

    flink.tellsInfo(true);

    soon()
        .until(
            () ->
                pollers.observed(KEY, "a") instanceof ObservedJob.Answered answered
                    && answered.clusterInfo().containsKey("flink-version"));
  }

  @Test
  void the_size_of_the_state_is_asked_for_with_one_poll_in_a_hundred() {
    poll("a", "p");

    soon().until(() -> flink.jobsAsked() > 160);

    int asked = flink.sizeAsked();
    assertThat(asked).isBetween(2, 2 + flink.jobsAsked() / 100);
    assertThat(((ObservedJob.Answered) pollers.observed(KEY, "a")).clusterInfo())
        .containsEntry("state-size", "42424242");
  }

  @Test
  void the_size_of_the_state_of_a_job_that_does_not_run_is_not_asked_for() {
    flink.job("job-1", FlinkJobState.RESTARTING, 0, 3);
    poll("a", "p");

    soon().until(() -> flink.jobsAsked() > 60);

    assertThat(flink.sizeAsked()).isZero();
  }

  @Test
  void another_state_is_told() {
    pollUntilTold();

    flink.job("job-1", FlinkJobState.RESTARTING, 0, 3);

    soon().until(() -> changes.get() == 2);
    assertThat(job().state()).isEqualTo(FlinkJobState.RESTARTING);
  }

  @Test
  void a_lost_task_is_told() {
    pollUntilTold();

    flink.job("job-1", FlinkJobState.RUNNING, 2, 3);

    soon().until(() -> changes.get() == 2);
    assertThat(job().isUp()).isFalse();
  }

  @Test
  void one_answer_that_does_not_come_does_not_make_a_job_unknown() {
    asksWhenThereIsAHint();
    pollUntilTold();
    flink.fails();

    poll("a", "q");

    soon().until(() -> flink.jobsAsked() == 2);
    assertThat(job().state()).isEqualTo(FlinkJobState.RUNNING);
  }

  @Test
  void a_JobManager_that_stays_silent_is_told_once() {
    pollUntilTold();

    flink.fails();

    soon().until(() -> pollers.observed(KEY, "a") instanceof ObservedJob.Unreachable);
    int asked = flink.jobsAsked();
    soon().until(() -> flink.jobsAsked() > asked + 5);
    assertThat(changes).hasValue(2);
  }

  @Test
  void a_cluster_that_never_answered_is_unreachable_at_the_first_failure() {
    asksWhenThereIsAHint();
    flink.fails();

    poll("a", "p");

    soon().until(() -> pollers.observed(KEY, "a") instanceof ObservedJob.Unreachable);
    assertThat(flink.jobsAsked()).isEqualTo(1);
  }

  @Test
  void answers_about_other_processes_are_void() {
    pollUntilTold();

    assertThat(pollers.observed(KEY, "b")).isInstanceOf(ObservedJob.Pending.class);
  }

  @Test
  void an_answer_that_was_under_way_when_the_processes_changed_is_asked_for_again() {
    flink.holds();
    poll("a", "p");
    soon().until(() -> flink.jobsAsked() == 1);
    poll("b", "p");

    flink.release();

    soon().until(() -> pollers.observed(KEY, "b") instanceof ObservedJob.Answered);
    assertThat(flink.jobsAsked()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void never_are_two_requests_for_a_cluster_under_way() {
    flink.holds();
    poll("a", "p");
    soon().until(() -> flink.jobsAsked() == 1);

    poll("a", "q");
    poll("b", "q");
    poll("b", "r");
    flink.release();
    soon().until(() -> pollers.observed(KEY, "b") instanceof ObservedJob.Answered);

    assertThat(flink.mostUnderWay()).isEqualTo(1);
  }

  @Test
  void a_change_of_the_pods_is_a_reason_to_ask_at_once() {
    asksWhenThereIsAHint();
    pollUntilTold();

    poll("a", "q");

    soon().until(() -> flink.jobsAsked() == 2);
  }

  @Test
  void a_silent_JobManager_is_asked_at_once_after_a_change_of_its_pods() {
    flink.fails();
    poll("a", "p");
    soon().until(() -> flink.jobsAsked() > 9); // some seconds to the next one
    int asked = flink.jobsAsked();

    flink.job("job-1", FlinkJobState.RUNNING, 3, 3);
    poll("a", "q");

    soon().until(() -> flink.jobsAsked() > asked + 5);
    assertThat(job().isUp()).isTrue();
  }

  @Test
  void a_forgotten_cluster_is_not_asked() {
    asksWhenThereIsAHint();
    pollUntilTold();

    pollers.forget(KEY);

    assertThat(pollers.size()).isZero();
    assertThat(pollers.observed(KEY, "a")).isInstanceOf(ObservedJob.Pending.class);
  }

  @Test
  void a_finished_task_counts_as_up() {
    flink.job(
        "job-1",
        FlinkJobState.RUNNING,
        new JobOverview.Tasks(4, Map.of(TaskState.RUNNING, 3, TaskState.FINISHED, 1)));

    poll("a", "p");

    soon().until(() -> changes.get() == 1);
    assertThat(job().isUp()).isTrue();
  }

  @Test
  void a_batch_job_is_up_while_its_later_stages_wait() {
    flink.type(JobType.BATCH).job("job-1", FlinkJobState.RUNNING, 1, 3);

    poll("a", "p");

    soon().until(() -> changes.get() == 1);
    assertThat(job().isUp()).isTrue();
  }

  @Test
  void a_streaming_job_is_not_up_while_a_task_waits() {
    flink.job("job-1", FlinkJobState.RUNNING, 1, 3);

    poll("a", "p");

    soon().until(() -> changes.get() == 1);
    assertThat(job().isUp()).isFalse();
  }

  @Test
  void the_type_of_a_job_is_asked_once_and_only_when_it_matters() {
    poll("a", "p");
    soon().until(() -> flink.jobsAsked() > 3);
    assertThat(flink.typeAsked()).isZero();

    flink.job("job-1", FlinkJobState.RUNNING, 1, 3);
    soon().until(() -> changes.get() == 2);
    int asked = flink.jobsAsked();
    soon().until(() -> flink.jobsAsked() > asked + 3);

    assertThat(flink.typeAsked()).isEqualTo(1);
  }

  @Test
  void a_failed_job_is_told_with_its_root_cause() {
    flink.job("job-1", FlinkJobState.FAILED, 0, 3).failsBecause("IllegalStateException", "boom");

    poll("a", "p");

    soon().until(() -> changes.get() == 1);
    assertThat(job().failure()).contains("IllegalStateException: boom (in task map)");
  }

  @Test
  void a_failed_job_is_told_at_once_and_its_cause_when_Flink_knows_it() {
    asksWhenThereIsAHint(); // the cause is given up after a few polls
    flink.job("job-1", FlinkJobState.FAILED, 0, 3);
    pollUntilTold();
    assertThat(job().failure()).isEmpty();

    flink.failsBecause("IllegalStateException", "boom");
    poll("a", "q");

    soon().until(() -> changes.get() == 2);
    assertThat(job().failure()).contains("IllegalStateException: boom (in task map)");
  }

  @Test
  void the_cause_of_a_failure_is_asked_for_until_it_is_known_and_no_more() {
    flink.job("job-1", FlinkJobState.FAILED, 0, 3).failsBecause("IllegalStateException", "boom");

    poll("a", "p");

    soon().until(() -> flink.jobsAsked() > 5);
    assertThat(flink.causesAsked()).isEqualTo(1);
  }

  @Test
  void a_cause_that_Flink_never_tells_is_asked_for_a_few_times_and_told_as_unknown() {
    flink.job("job-1", FlinkJobState.FAILED, 0, 3);

    poll("a", "p");

    soon().until(() -> flink.jobsAsked() > 10);
    assertThat(job().failure()).contains("Flink does not say why");
    assertThat(flink.causesAsked()).isEqualTo(5);
  }

  @Test
  void a_healthy_job_is_never_asked_for_exceptions() {
    poll("a", "p");

    soon().until(() -> flink.jobsAsked() > 10);

    assertThat(flink.causesAsked()).isZero();
  }

  @Test
  void a_job_that_restarted_between_two_polls_is_told_with_its_exception() {
    asksWhenThereIsAHint(); // none comes while Flink is told all of this
    pollUntilTold();

    flink
        .modified(Instant.ofEpochMilli(9_000))
        .job("job-1", FlinkJobState.RUNNING, 3, 3)
        .failsBecause("IOException", "disk full");
    poll("a", "q");

    soon().until(() -> !job().exceptions().isEmpty());
    assertThat(job().failure()).isEmpty();
  }

  @Test
  void another_failure_has_a_cause_of_its_own() {
    asksWhenThereIsAHint(); // none comes between the failure and what it is told with
    flink.job("job-1", FlinkJobState.FAILED, 0, 3).failsBecause("IllegalStateException", "boom");
    pollUntilTold();

    flink.job("job-2", FlinkJobState.FAILED, 0, 3).failsBecause("IOException", "disk full");
    poll("a", "q");

    soon().until(() -> changes.get() == 2);
    assertThat(job().failure().orElseThrow()).startsWith("IOException: disk full");
  }

  private JobPollers pollers(Duration interval) {
    return new JobPollers(flink.client(), new PollInterval(interval, 10_000, 3));
  }

  private void pollUntilTold() {
    poll("a", "p");
    soon().until(() -> changes.get() == 1);
  }

  private void asksWhenThereIsAHint() {
    pollers.close();
    pollers = pollers(NEVER);
  }

  private void poll(String subject, String pods) {
    pollers.poll(
        KEY,
        new PollTarget(Endpoint.of(new ClusterRef("default", "orders")), "job-1", subject, pods),
        changes::incrementAndGet);
  }

  private ObservedJob.Job job() {
    return ((ObservedJob.Answered) pollers.observed(KEY, "a")).job().orElseThrow();
  }

  private static ConditionFactory soon() {
    return await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(5));
  }
}
