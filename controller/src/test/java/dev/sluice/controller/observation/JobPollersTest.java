package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.JobState;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.controller.deployment.ObservedJob;
import dev.sluice.controller.support.FakeFlink;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobPollersTest {

  private static final Duration NEVER = Duration.ofHours(1);
  private static final String KEY = "uid-1";

  private final FakeFlink flink = new FakeFlink().job("job-1", JobState.RUNNING, 3, 3);
  private final AtomicInteger changes = new AtomicInteger();
  private JobPollers watch = watch(Duration.ofMillis(10), Duration.ofMillis(10));

  @AfterEach
  void close() {
    watch.close();
  }

  @Test
  void nothing_is_known_before_the_first_answer() {
    flink.holds();

    look("a", "p", false);

    assertThat(watch.seen(KEY, "a")).isInstanceOf(ObservedJob.Pending.class);
  }

  @Test
  void the_first_answer_is_told() {
    look("a", "p", false);

    soon().until(() -> changes.get() == 1);
    assertThat(job().state()).isEqualTo(FlinkJobState.RUNNING);
    assertThat(job().healthy()).isTrue();
  }

  @Test
  void the_same_answer_again_is_not_told() {
    look("a", "p", true);

    soon().until(() -> flink.jobsAsked() > 5);

    assertThat(changes).hasValue(1);
  }

  @Test
  void what_the_cluster_is_is_asked_once() {
    look("a", "p", true);

    soon().until(() -> flink.jobsAsked() > 5);

    assertThat(flink.infoAsked()).isEqualTo(1);
  }

  @Test
  void another_state_is_told() {
    look("a", "p", true);
    soon().until(() -> changes.get() == 1);

    flink.job("job-1", JobState.RESTARTING, 0, 3);

    soon().until(() -> changes.get() == 2);
    assertThat(job().state()).isEqualTo(FlinkJobState.RESTARTING);
  }

  @Test
  void a_lost_task_is_told() {
    look("a", "p", true);
    soon().until(() -> changes.get() == 1);

    flink.job("job-1", JobState.RUNNING, 2, 3);

    soon().until(() -> changes.get() == 2);
    assertThat(job().healthy()).isFalse();
  }

  @Test
  void one_answer_that_does_not_come_does_not_make_a_job_unknown() {
    watch.close();
    watch = watch(NEVER, NEVER);
    look("a", "p", true);
    soon().until(() -> changes.get() == 1);
    flink.fails();

    look("a", "q", true);

    soon().until(() -> flink.jobsAsked() == 2);
    assertThat(job().state()).isEqualTo(FlinkJobState.RUNNING);
  }

  @Test
  void a_JobManager_that_stays_silent_is_told_once() {
    look("a", "p", true);
    soon().until(() -> changes.get() == 1);

    flink.fails();

    soon().until(() -> watch.seen(KEY, "a") instanceof ObservedJob.Unreachable);
    int asked = flink.jobsAsked();
    soon().until(() -> flink.jobsAsked() > asked + 5);
    assertThat(changes).hasValue(2);
  }

  @Test
  void a_cluster_that_never_answered_is_unreachable_at_the_first_failure() {
    watch.close();
    watch = watch(NEVER, NEVER);
    flink.fails();

    look("a", "p", false);

    soon().until(() -> watch.seen(KEY, "a") instanceof ObservedJob.Unreachable);
    assertThat(flink.jobsAsked()).isEqualTo(1);
  }

  @Test
  void answers_about_other_processes_are_void() {
    look("a", "p", true);
    soon().until(() -> changes.get() == 1);

    assertThat(watch.seen(KEY, "b")).isInstanceOf(ObservedJob.Pending.class);
  }

  @Test
  void an_answer_that_was_under_way_when_the_processes_changed_is_asked_for_again() {
    flink.holds();
    look("a", "p", true);
    soon().until(() -> flink.jobsAsked() == 1);
    look("b", "p", true);

    flink.release();

    soon().until(() -> watch.seen(KEY, "b") instanceof ObservedJob.Answered);
    assertThat(flink.jobsAsked()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void never_are_two_requests_for_a_cluster_under_way() {
    flink.holds();
    look("a", "p", false);
    soon().until(() -> flink.jobsAsked() == 1);

    look("a", "q", false);
    look("b", "q", false);
    look("b", "r", true);
    flink.release();
    soon().until(() -> watch.seen(KEY, "b") instanceof ObservedJob.Answered);

    assertThat(flink.mostUnderWay()).isEqualTo(1);
  }

  @Test
  void a_change_of_the_pods_is_a_reason_to_ask_at_once() {
    watch.close();
    watch = watch(NEVER, NEVER);
    look("a", "p", true);
    soon().until(() -> changes.get() == 1);

    look("a", "q", true);

    soon().until(() -> flink.jobsAsked() == 2);
  }

  @Test
  void what_is_not_settled_is_asked_quickly() {
    watch.close();
    watch = watch(Duration.ofMillis(10), NEVER);
    look("a", "p", true);
    soon().until(() -> changes.get() == 1);

    look("a", "p", false);

    soon().until(() -> flink.jobsAsked() > 5);
  }

  @Test
  void a_forgotten_cluster_is_not_asked() {
    watch.close();
    watch = watch(NEVER, NEVER);
    look("a", "p", true);
    soon().until(() -> changes.get() == 1);

    watch.forget(KEY);

    assertThat(watch.size()).isZero();
    assertThat(watch.seen(KEY, "a")).isInstanceOf(ObservedJob.Pending.class);
  }

  private JobPollers watch(Duration quick, Duration slow) {
    return new JobPollers(flink.client(), new PollInterval(quick, slow, NEVER, 3));
  }

  private void look(String about, String pods, boolean settled) {
    watch.watch(
        KEY,
        new PollTarget(Endpoint.of("default", "orders"), "job-1", about, pods, settled),
        changes::incrementAndGet);
  }

  private ObservedJob.Job job() {
    return ((ObservedJob.Answered) watch.seen(KEY, "a")).job().orElseThrow();
  }

  private static ConditionFactory soon() {
    return await().atMost(Duration.ofSeconds(10)).pollInterval(Duration.ofMillis(5));
  }
}
