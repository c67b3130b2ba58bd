package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.JobOverview.TaskState;
import dev.sluice.api.common.FlinkJobState;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobOverviewTest {

  private static JobOverview job(String id, FlinkJobState state, JobOverview.Tasks tasks) {
    JobOverview.Times times = new JobOverview.Times(Instant.EPOCH, Optional.empty(), Instant.EPOCH);
    return new JobOverview(id, "counter", state, state.name(), times, tasks);
  }

  private static JobOverview.Tasks tasks(int total, Map<TaskState, Integer> counts) {
    return new JobOverview.Tasks(total, counts);
  }

  private static JobOverview job(FlinkJobState state, int running, int finished, int total) {
    int created = total - running - finished;
    return job(
        "aa",
        state,
        tasks(
            total,
            Map.of(
                TaskState.CREATED,
                created,
                TaskState.RUNNING,
                running,
                TaskState.FINISHED,
                finished)));
  }

  @ParameterizedTest
  @CsvSource({
    "RUNNING, 8, 0, 8, true",
    "RUNNING, 3, 1, 4, true", // a bounded source is done
    "RUNNING, 0, 4, 4, true",
    "RUNNING, 5, 0, 8, false", // some tasks wait for slots
    "RUNNING, 2, 1, 4, false",
    "RUNNING, 0, 0, 8, false", // no TaskManager, and Flink still says RUNNING
    "RUNNING, 0, 0, 0, false", // not scheduled yet
    "CREATED, 0, 0, 8, false", // the adaptive scheduler without slots
    "RESTARTING, 8, 0, 8, false",
    "CANCELLING, 8, 0, 8, false"
  })
  void aJobIsUpWhenItSaysSoAndEveryTaskRunsOrHasFinished(
      FlinkJobState state, int running, int finished, int total, boolean up) {
    assertThat(job(state, running, finished, total).isUp()).isEqualTo(up);
  }

  @ParameterizedTest
  @CsvSource({
    "RUNNING, 1, 0, 8, true",
    "RUNNING, 0, 2, 8, true", // between two stages
    "RUNNING, 8, 0, 8, true",
    "RUNNING, 0, 0, 8, false",
    "CREATED, 0, 0, 8, false",
    "RESTARTING, 1, 2, 8, false"
  })
  void aBatchJobIsUpOnceATaskRunsOrHasFinished(
      FlinkJobState state, int running, int finished, int total, boolean up) {
    assertThat(job(state, running, finished, total).isUpAsBatch()).isEqualTo(up);
  }

  @Test
  void aBatchJobOfWhichATaskFailsIsNotUp() {
    JobOverview.Tasks failing =
        tasks(8, Map.of(TaskState.CREATED, 4, TaskState.RUNNING, 3, TaskState.FAILED, 1));

    assertThat(job("aa", FlinkJobState.RUNNING, failing).isUpAsBatch()).isFalse();
  }

  @Test
  void everyStateInWhichTasksAreIsTold() {
    JobOverview.Tasks tasks =
        tasks(
            12,
            Map.of(
                TaskState.CREATED, 1,
                TaskState.SCHEDULED, 2,
                TaskState.RUNNING, 3,
                TaskState.FINISHED, 4,
                TaskState.FAILED, 2));

    assertThat(tasks.display())
        .isEqualTo("3 running + 4 finished of 12 tasks, 1 created, 2 scheduled, 2 failed");
    assertThat(job(FlinkJobState.RUNNING, 8, 0, 8).display())
        .isEqualTo("RUNNING, 8 of 8 tasks running");
  }

  @Test
  void aWordOfALaterFlinkIsNotKnownAndNotTheEnd() {
    JobOverview job =
        JobOverview.of(
            "aa01",
            "counter",
            "HIBERNATING",
            Instant.EPOCH,
            -1,
            Instant.EPOCH,
            null,
            tasks(0, Map.of()));

    assertThat(job.state()).isEqualTo(FlinkJobState.RECONCILING);
    assertThat(job.display()).startsWith("HIBERNATING, ");
  }
}
