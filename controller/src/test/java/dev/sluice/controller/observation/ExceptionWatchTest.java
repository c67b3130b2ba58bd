package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.FlinkCause;
import dev.sluice.activities.flink.JobExceptions;
import dev.sluice.activities.flink.JobExceptions.Failure;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobOverview.TaskState;
import dev.sluice.api.common.FlinkJobState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a job is asked for its exceptions. */
class ExceptionWatchTest {

  private static final JobOverview UP = job(FlinkJobState.RUNNING, 3, 1);

  private final ExceptionWatch watch = new ExceptionWatch();

  @Test
  void a_healthy_job_is_never_asked() {
    assertThat(asked(UP, 1_000)).isZero();
  }

  @Test
  void a_job_that_comes_up_is_never_asked() {
    int asked =
        asked(job(FlinkJobState.INITIALIZING, 0, 1), 3)
            + asked(job(FlinkJobState.CREATED, 0, 2), 3)
            + asked(job(FlinkJobState.RUNNING, 0, 3), 3)
            + asked(job(FlinkJobState.RUNNING, 2, 4), 3)
            + asked(job(FlinkJobState.RUNNING, 3, 5), 3);

    assertThat(asked).isZero();
  }

  @Test
  void a_job_that_restarts_is_asked_until_Flink_tells_a_new_one() {
    watch.isDue(UP);
    watch.isDue(job(FlinkJobState.RESTARTING, 0, 2));
    watch.learn(exceptions(failure(2)));

    assertThat(asked(job(FlinkJobState.RESTARTING, 0, 2), 10)).isZero();
    assertThat(watch.cause()).contains("IllegalStateException: boom 2");
  }

  @Test
  void an_answer_from_Flinks_cache_is_not_taken_for_the_new_one() {
    watch.isDue(UP);
    watch.isDue(job(FlinkJobState.RESTARTING, 0, 2));
    watch.learn(exceptions(failure(2)));
    asked(job(FlinkJobState.RUNNING, 3, 3), 10);

    watch.isDue(job(FlinkJobState.RESTARTING, 0, 4));
    watch.learn(exceptions(failure(2)));

    assertThat(watch.cause()).isEmpty();
    assertThat(asked(job(FlinkJobState.RESTARTING, 0, 4), 10)).isEqualTo(4);
  }

  @Test
  void a_restart_without_an_exception_is_asked_for_five_times() {
    watch.isDue(UP);

    assertThat(asked(job(FlinkJobState.RESTARTING, 0, 2), 50)).isEqualTo(5);
  }

  @Test
  void a_restart_between_two_polls_is_seen_by_the_time_of_its_tasks() {
    watch.isDue(UP);

    assertThat(watch.isDue(job(FlinkJobState.RUNNING, 3, 2))).isTrue();
  }

  @Test
  void a_task_that_finishes_is_no_failure() {
    watch.isDue(UP);

    JobOverview finished =
        job(
            FlinkJobState.RUNNING,
            Map.of(TaskState.RUNNING, 2, TaskState.FINISHED, 1),
            Instant.ofEpochSecond(2));

    assertThat(watch.isDue(finished)).isFalse();
  }

  @Test
  void a_lost_task_is_asked_for() {
    watch.isDue(UP);

    assertThat(watch.isDue(job(FlinkJobState.RUNNING, 2, 2))).isTrue();
  }

  @Test
  void the_cause_of_a_restart_stays_known_when_it_ends_the_job() {
    watch.isDue(UP);
    watch.isDue(job(FlinkJobState.FAILING, 0, 2));
    watch.learn(exceptions(failure(2)));

    watch.isDue(job(FlinkJobState.FAILED, 0, 2));

    assertThat(watch.cause()).contains("IllegalStateException: boom 2");
  }

  @Test
  void what_a_job_got_over_is_not_told_as_the_cause_of_the_next_restart() {
    watch.isDue(UP);
    watch.isDue(job(FlinkJobState.RESTARTING, 0, 2));
    watch.learn(exceptions(failure(2)));
    watch.isDue(job(FlinkJobState.RUNNING, 3, 3));
    assertThat(watch.cause()).isEmpty();
    asked(job(FlinkJobState.RUNNING, 3, 3), 10);

    watch.isDue(job(FlinkJobState.RESTARTING, 0, 4));

    assertThat(watch.cause()).isEmpty();
  }

  @Test
  void what_happened_before_this_controller_looked_is_not_the_cause_of_a_new_failure() {
    watch.isDue(job(FlinkJobState.RUNNING, 3, 10));
    watch.isDue(job(FlinkJobState.RESTARTING, 0, 20));

    watch.learn(exceptions(failure(9)));

    assertThat(watch.cause()).isEmpty();
    assertThat(watch.isDue(job(FlinkJobState.RESTARTING, 0, 20))).isTrue();
    watch.learn(exceptions(failure(20), failure(9)));
    assertThat(watch.cause()).contains("IllegalStateException: boom 20");
    assertThat(asked(job(FlinkJobState.RESTARTING, 0, 20), 10)).isZero();
  }

  @Test
  void a_job_that_is_found_failed_is_told_its_newest_exception() {
    watch.isDue(job(FlinkJobState.FAILED, 0, 20));

    watch.learn(exceptions(failure(20), failure(9)));

    assertThat(watch.cause()).contains("IllegalStateException: boom 20");
    assertThat(asked(job(FlinkJobState.FAILED, 0, 20), 10)).isZero();
  }

  @Test
  void the_next_state_of_a_failure_does_not_make_its_exception_an_old_one() {
    watch.isDue(UP);
    watch.isDue(job(FlinkJobState.FAILING, 0, 20));
    watch.isDue(job(FlinkJobState.RESTARTING, 0, 21));

    watch.learn(exceptions(failure(20)));

    assertThat(watch.cause()).contains("IllegalStateException: boom 20");
  }

  private int asked(JobOverview overview, int polls) {
    int asked = 0;
    for (int poll = 0; poll < polls; poll++) {
      asked += watch.isDue(overview) ? 1 : 0;
    }
    return asked;
  }

  private static JobExceptions exceptions(Failure... newestFirst) {
    return new JobExceptions(List.of(newestFirst));
  }

  private static Failure failure(long second) {
    return new Failure(
        new FlinkCause("IllegalStateException", "boom " + second),
        Instant.ofEpochSecond(second),
        JobExceptions.Origin.JOB,
        List.of());
  }

  private static JobOverview job(FlinkJobState state, int running, long modified) {
    return job(
        state,
        Map.of(TaskState.RUNNING, running, TaskState.SCHEDULED, 3 - running),
        Instant.ofEpochSecond(modified));
  }

  private static JobOverview job(
      FlinkJobState state, Map<TaskState, Integer> tasks, Instant modified) {
    return new JobOverview(
        "job-1",
        "orders",
        state,
        state.name(),
        new JobOverview.Times(Instant.EPOCH, Optional.empty(), modified),
        new JobOverview.Tasks(3, tasks));
  }
}
