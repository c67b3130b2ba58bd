package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class JobOverviewTest {

  private static JobOverview job(String id, JobState state, int total, int running) {
    return new JobOverview(
        id,
        "counter",
        state,
        Instant.EPOCH,
        Optional.empty(),
        Instant.EPOCH,
        new JobOverview.Tasks(total, 0, total - running, 0, 0, running, 0, 0, 0, 0, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "RUNNING, 8, 8, true",
    "RUNNING, 8, 5, false", // some tasks wait for slots
    "RUNNING, 8, 0, false", // no TaskManager, and Flink still says RUNNING
    "RUNNING, 0, 0, false", // not scheduled yet
    "CREATED, 8, 0, false", // the adaptive scheduler without slots
    "RESTARTING, 8, 8, false",
    "CANCELLING, 8, 8, false"
  })
  void aJobRunsWhenItSaysSoAndEveryTaskDoes(JobState state, int total, int running, boolean runs) {
    assertThat(job("aa", state, total, running).allTasksRunning()).isEqualTo(runs);
  }

  @Test
  void theProgressIsForPeople() {
    assertThat(job("aa", JobState.RUNNING, 8, 5).tasks().progress())
        .isEqualTo("5 of 8 tasks running");
  }

  @ParameterizedTest
  @EnumSource
  void onlyFinishedCanceledAndFailedAreTheEnd(JobState state) {
    assertThat(state.isGloballyTerminal())
        .isEqualTo(List.of(JobState.FINISHED, JobState.CANCELED, JobState.FAILED).contains(state));
  }

  @Test
  void aStateOfALaterFlinkIsUnknownAndNotTheEnd() {
    assertThat(JobState.parse("HIBERNATING")).isEqualTo(JobState.UNKNOWN);
  }

  @Test
  void findsAJobByIdAndTheOnesThatLive() {
    JobOverview ended = job("aa", JobState.FINISHED, 2, 0);
    JobOverview lives = job("bb", JobState.RESTARTING, 2, 0);
    JobsOverview jobs = new JobsOverview(List.of(ended, lives));

    assertThat(jobs.job("aa")).contains(ended);
    assertThat(jobs.job("cc")).isEmpty();
    assertThat(jobs.alive()).containsExactly(lives);
  }
}
