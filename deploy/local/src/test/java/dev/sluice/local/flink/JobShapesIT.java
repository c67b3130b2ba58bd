package dev.sluice.local.flink;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.local.demo.Counts;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code /jobs/overview} says of the sample job's less common shapes. */
@Tag("node")
class JobShapesIT {

  private static final String INTERVAL = "execution.checkpointing.interval";
  private static final String AFTER_FINISH =
      "execution.checkpointing.checkpoints-after-tasks-finish";
  private static final String RETENTION =
      "execution.checkpointing.externalized-checkpoint-retention";

  @RegisterExtension static final FlinkGenerations FLINK = new FlinkGenerations();

  @ParameterizedTest
  @ValueSource(strings = {"1.20", "2.2"})
  void aBoundedSourceFinishesBesideTheEndlessOne(String version) throws Exception {
    SessionCluster flink = FLINK.of(version);
    String job = flink.run(2, "", "--bounded-source", "10");

    flink.awaitOverview(job, JobOverview.running(3, 1));
    assertThat(flink.awaitCounts(job, 100).exact()).isTrue();
    flink.cancel(job);
  }

  @Test
  void withoutCheckpointsAfterTasksFinishABoundedSourceEndsBeforeTheOthersRunAndSavepointsFail()
      throws Exception {
    SessionCluster flink = FLINK.of("2.2");
    Map<String, String> config = Map.of(INTERVAL, "1s", AFTER_FINISH, "false");
    String job = flink.run(config, 1, "", "--bounded-source", "0", "--slow-start", "3000");

    flink.awaitOverview(job, seen -> seen.finished() == 1 && seen.running() < 2);
    flink.awaitOverview(job, JobOverview.running(2, 1));
    String trigger = flink.triggerSavepoint(job);
    await()
        .atMost(10, SECONDS)
        .until(() -> flink.savepointFailure(job, trigger).contains("have already finished"));
    flink.cancel(job);
  }

  @Test
  void withCheckpointsAfterTasksFinishABoundedSourceRunsUntilACheckpoint() throws Exception {
    SessionCluster flink = FLINK.of("2.2");
    String job = flink.run(Map.of(INTERVAL, "1h"), 1, "", "--bounded-source", "0");

    flink.awaitOverview(job, JobOverview.running(3, 0));
    await().during(1, SECONDS).until(() -> flink.overview(job).equals(JobOverview.running(3, 0)));
    flink.cancel(job);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.20", "2.2"})
  void aSplitThatEndsFinishesItsSubtaskAndCountsGoOnExactly(String version) throws Exception {
    SessionCluster flink = FLINK.of(version);
    String[] flags = "--splits 2 --bounded-split 200 --rate 400 --keys 37".split(" ");

    // given two splits, read by one subtask
    String one = flink.run(1, "", flags);
    flink.awaitOverview(one, JobOverview.running(2, 0));
    Counts first = flink.awaitCounts(one, 50);
    String savepoint = flink.stopWithSavepoint(one);

    // when each has a subtask of its own, the one whose split ends finishes
    String two = flink.run(2, savepoint, flags);
    flink.awaitOverview(two, JobOverview.running(3, 1));
    Counts second = flink.awaitCounts(two, first.total() + 400);
    savepoint = flink.stopWithSavepoint(two);

    // and a savepoint of the rest can be rescaled back
    String three = flink.run(1, savepoint, flags);
    flink.awaitOverview(three, JobOverview.running(2, 0));
    Counts third = flink.awaitCounts(three, second.total() + 200);
    flink.cancel(three);

    assertThat(second.exact()).as(second.toString()).isTrue();
    assertThat(third.exact()).as(third.toString()).isTrue();
    assertThat(third.restored()).isGreaterThanOrEqualTo(second.total());
    assertThat(third.keys()).isEqualTo(37);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.20", "2.2"})
  void theStagesOfABatchJobRunOneAfterTheOther(String version) throws Exception {
    SessionCluster flink = FLINK.of(version);
    String[] flags = "--batch true --batch-elements 60 --batch-delay 50".split(" ");
    String job = flink.run(1, "", flags);

    // tasks of the second stage are made when the first has finished
    flink.awaitOverview(job, JobOverview.running(1, 0));
    flink.awaitOverview(job, JobOverview.running(1, 1));
    flink.awaitOverview(job, new JobOverview("FINISHED", 2, 0, 0, 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.20", "2.2"})
  void aJobWithoutSlotsIsRunningWhileNoTaskRuns(String version) throws Exception {
    SessionCluster flink = FLINK.of(version);
    String job = flink.run(2, "", "--no-slots", "true");
    JobOverview waiting = new JobOverview("RUNNING", 3, 3, 0, 0);

    flink.awaitOverview(job, waiting);
    await().during(1, SECONDS).until(() -> flink.overview(job).equals(waiting));
    flink.cancel(job);
  }

  @ParameterizedTest
  @CsvSource({
    "1.20, delete, RETAIN_ON_CANCELLATION, true",
    "1.20, retain, DELETE_ON_CANCELLATION, false",
    "2.2, delete, RETAIN_ON_CANCELLATION, true",
    "2.2, retain, DELETE_ON_CANCELLATION, false",
  })
  void theJobOverridesTheConfiguredRetention(
      String version, String flag, String configured, boolean deletes) throws Exception {
    SessionCluster flink = FLINK.of(version);
    Map<String, String> config = Map.of(INTERVAL, "1h", RETENTION, configured);
    String job = flink.run(config, 1, "", "--retention", flag);

    assertThat(flink.deletesCheckpointsOnCancellation(job)).isEqualTo(deletes);
    flink.cancel(job);
  }
}
