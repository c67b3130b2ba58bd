package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a clean-up leaves because a FlinkSessionJob may be started from it. */
class SessionJobNeedsTest {

  private static final String LAST = "s3://savepoints/savepoint-7";

  /** FLINK-38033: Apache's operator records nowhere else what such a job goes on from. */
  @ParameterizedTest
  @CsvSource({"SUSPENDED, true, true", "SUSPENDED, false, false", "RUNNING, true, false"})
  void theLastSavepointOfAJobThatApachesOperatorSuspendedIsNeeded(
      DesiredJobState state, boolean byApache, boolean needed) {
    FlinkSessionJob job = SessionJobs.totals();
    String frozen =
        new FrozenSessionJob(
                SessionJobs.SPEC.withJob(SessionJobs.SPEC.job().withState(state)),
                1,
                false,
                byApache)
            .toJson();
    Savepoint last = new Savepoint(1, LAST, "UPGRADE", "CANONICAL", null);
    job.setStatus(
        job.getStatus()
            .withReconciliationStatus(ReconciliationStatus.EMPTY.withLastReconciledSpec(frozen))
            .withJobStatus(
                JobStatus.EMPTY.withSavepointInfo(
                    new SavepointInfo(last, null, null, null, null, List.of(), 0))));

    assertThat(SessionJobNeeds.of(job).paths().contains(LAST)).isEqualTo(needed);
  }
}
