package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What the status says of a job that is up, and is waited for until it is stable. */
class JobThatIsUpTest {

  private static final Instant NINE = Instant.parse("2026-11-21T09:00:00Z");
  private static final OwnedStatus STARTED =
      OwnedStatus.EMPTY
          .withReconciliation(
              ReconciliationStatus.EMPTY
                  .withLastReconciledSpec("{\"spec\":{},\"generation\":2}")
                  .withState(ReconciliationState.UPGRADING))
          .withRecorded(
              new RestorePoint(new StateRef.Savepoint("file:/s"), Refs.JOB_ID, Refs.OTHER_JOB_ID));

  private static OwnedStatus reported(OwnedStatus before, String jobId) {
    return StatusChange.report(
        before, Reports.of(OperationState.RUNNING, "AwaitStable").withUpJob(jobId), NINE);
  }

  @Test
  void itIsNotedWithTheReport() {
    OwnedStatus after = reported(STARTED, Refs.OTHER_JOB_ID);

    assertThat(after.restorePoint().wasUp(Refs.OTHER_JOB_ID)).isTrue();
    assertThat(after.upgradeSavepointPath()).isEqualTo("file:/s");
    assertThat(after.operation().step()).isEqualTo("AwaitStable");
    assertThat(reported(after, Refs.OTHER_JOB_ID)).isEqualTo(after);
  }

  @Test
  void itIsForgottenOnceTheJobIsStable() {
    OwnedStatus up = reported(STARTED, Refs.OTHER_JOB_ID);

    OwnedStatus after =
        StatusChange.stable(up, Reports.of(OperationState.SUCCEEDED, "MarkStable"), NINE);

    assertThat(after.recorded()).isEqualTo(STARTED.recorded());
  }

  /** A run that was reset, or an answer that is late. */
  @Test
  void aReportOnAnotherJobNotesNothing() {
    assertThat(reported(STARTED, "c".repeat(32)).recorded()).isEqualTo(STARTED.recorded());
  }

  @Test
  void aReportThatComesAfterTheEndNotesNothing() {
    OwnedStatus ended =
        StatusChange.stable(STARTED, Reports.of(OperationState.SUCCEEDED, "MarkStable"), NINE);

    assertThat(reported(ended, Refs.OTHER_JOB_ID).recorded()).isEqualTo(ended.recorded());
  }

  @Test
  void whereNothingIsRecordedNothingIsNoted() {
    assertThat(reported(STARTED.withoutRecorded(), Refs.OTHER_JOB_ID).recorded()).isNull();
  }
}
