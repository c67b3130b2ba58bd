package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.cluster.SessionJobSource.SessionJob;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.api.sessionjob.Submission;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the status of a job says to the operation of its session cluster. */
class FlinkSessionJobsTest {

  private static SessionJob of(FlinkSessionJobStatus status) {
    FlinkSessionJob job = SessionJobs.totals();
    job.setStatus(status);
    return FlinkSessionJobs.sessionJob(job);
  }

  /** The next of one that was ended is sent only once the cluster is replaced. */
  @ParameterizedTest
  @CsvSource({
    "false, StartJob, id, 2026-11-24T10:00:00Z",
    "false, AwaitRunning, id,",
    "true, StartJob, ,"
  })
  void oneThatIsBeingStartedTellsWhenFlinkWasAsked(
      boolean removed, String step, String jobId, Instant sentAt) {
    SessionJob job =
        of(
            FlinkSessionJobStatus.EMPTY
                .withSubmission(
                    new Submission("id", 1L, "c1", null, removed, "2026-11-24T10:00:00Z"))
                .withOperation(
                    OperationStatus.EMPTY.withState(OperationState.RUNNING).withStep(step)));

    assertThat(job.jobId()).isEqualTo(jobId);
    assertThat(job.sentAt()).isEqualTo(sentAt);
  }

  @ParameterizedTest
  @CsvSource({
    // the spec before is deployed
    "RECOVER, SUCCEEDED, 0, true",
    "RECOVER, SUCCEEDED, 1, false",
    "ROLLBACK, SUCCEEDED, 0, true",
    "UPGRADE, ABORTED, 1, true",
    "UPGRADE, FAILED, 1, true",
    "UPGRADE, RUNNING, 1, false",
    "UPGRADE, SUCCEEDED, 1, false"
  })
  void oneWhoseNewestSpecWasGivenUpSaysWhatToDo(
      OperationType type, OperationState state, long target, boolean givenUp) {
    String problem =
        of(FlinkSessionJobStatus.EMPTY.withOperation(
                OperationStatus.EMPTY
                    .withType(type)
                    .withState(state)
                    .withFromGeneration(1L)
                    .withTargetGeneration(target)))
            .problem();

    assertThat(problem != null && problem.contains("sluice.dev/retry")).isEqualTo(givenUp);
  }
}
