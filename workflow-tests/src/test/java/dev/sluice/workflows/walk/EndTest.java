package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deletions, and jobs that have ended by themselves. */
class EndTest {

  /**
   * {@code savepoint-on-deletion}. W5: in Apache's operator a job that does not run makes the
   * deletion fail each time.
   *
   * @param byJob its metadata is left to the job: only one that Flink has ended removes it
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          deploy old | cancel job 1 | true
          deploy old; loseSlots | cancel job 1 | true
          deploy old; flinkAway 1000 | '' | false
          deploy old keptOnDeletion | stop job 1 with a savepoint | true
          deploy old keptOnDeletion; loseSlots | cancel job 1 | true
          deploy old keptOnDeletion; failJob | '' | false
          deploy old keptOnDeletion; cancelJobByHand | '' | false
          deploy old keptOnDeletion; flinkAway 1000 | '' | false
          deploy old savepointing=FAILS keptOnDeletion | stop job 1 with a savepoint; \
          stop job 1 with a savepoint; stop job 1 with a savepoint; cancel job 1 | true
          """)
  void aDeletionEnds(String given, String expected, boolean byJob) {
    Story story = new Story(given + "; delete");
    String before = expected.isEmpty() ? "" : expected + "; ";

    assertThat(String.join("; ", story.begins().ends()))
        .isEqualTo(
            before
                + "delete the cluster of job 1; release the finalizer; end: the resource is gone");
    assertThat(notes(story, "metadata left to ")).last().isEqualTo(byJob ? "its job" : "nobody");
  }

  private static List<String> notes(Story story, String beginning) {
    return story.run.environment().trace().stream()
        .filter(line -> line.contains(beginning))
        .map(line -> line.substring(line.indexOf(beginning) + beginning.length()))
        .toList();
  }

  @Test
  void theStatusSaysWhatADeletionKept() {
    Story story = new Story("deploy old keptOnDeletion; delete").begins();

    assertThat(story.run.environment().resource().operation().message())
        .contains("the state of the job is kept: savepoint s3://savepoints/");
  }

  /** The status names each savepoint that an operation stops its job with, and no other's. */
  @ParameterizedTest
  @CsvSource({
    "apply new,             upgrade,                1",
    "apply old asSuspended, suspension,             1",
    "delete,                deletion,               1",
    "apply new,             it finishes before it, 0",
  })
  void theSavepointOfAnOperationIsPublished(String asked, String operation, int published) {
    Story story = new Story("deploy old keptOnDeletion; " + asked);
    if (published == 0) {
      story.before("StopWithSavepoint", 1, "finishJob");
    }

    assertThat(story.begins().course()).isNotEmpty();
    assertThat(notes(story, "published ")).hasSize(published);
  }

  /** Flink remembers that it has ended, with high availability. */
  @ParameterizedTest
  @CsvSource({"deploy old; finishJob, false", "deploy old highlyAvailable; failJob, true"})
  void aJobThatHasEndedIsNotRunAgain(String given, boolean clusterStays) {
    Story story = new Story(given);

    assertThat(story.begins().course()).isEqualTo("record the end of job 1; end: no job runs");
    assertThat(story.run.environment().observation().cluster().present()).isEqualTo(clusterStays);
  }

  /** Its JobManager may be the only one that can be asked what it left. */
  @ParameterizedTest
  @CsvSource({"deploy old, false", "deploy old deletingCheckpoints, true"})
  void aFinishOfAJobThatWasCancelled(String given, boolean deletesCheckpoints) {
    Story story = new Story(given + "; tick 9; cancelJobByHand");

    story
        .begins()
        .then(
            "Finish is started",
            lane ->
                story.temporal.signalWithStart(
                    lane.ref(),
                    "Finish",
                    OperationInput.of(lane.ref(), 1, "ended"),
                    LaneSignals.RETARGET,
                    1L));

    assertThat(story.course()).isEqualTo("record the end of job 1; end: no job runs");
    assertThat(story.run.environment().observation().cluster().present())
        .isEqualTo(deletesCheckpoints);
  }
}
