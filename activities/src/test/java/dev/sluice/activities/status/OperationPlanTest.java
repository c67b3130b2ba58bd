package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.activity.ResourceActivities.RecordStateRequest;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.model.StateRef;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What the status says of the decision of an operation, until another one begins. */
class OperationPlanTest {

  private static final Instant NINE = Instant.parse("2026-11-21T09:00:00Z");
  private static final String FIRST = "Upgrading to generation 2";
  private static final OwnedStatus FROZEN =
      StatusChange.freeze(
          OwnedStatus.EMPTY, "{\"spec\":{}}", Reports.freeze(Refs.RESOURCE, 2, false), NINE);

  private static OwnedStatus recorded(String plan) {
    return recorded(plan, NINE);
  }

  private static OwnedStatus recorded(String plan, Instant at) {
    RecordStateRequest it = Reports.record(Refs.RESOURCE, new StateRef.Savepoint("file:/s"));
    return StatusChange.record(
        FROZEN,
        new RecordStateRequest(
            it.resource(),
            it.recorded(),
            it.step(),
            it.message(),
            it.deadlineMs(),
            it.usedRestoreFrom(),
            it.plannedFor(),
            plan),
        at);
  }

  @Test
  void itIsWrittenWithTheTarget() {
    assertThat(FROZEN.operation().plan()).isEqualTo(FIRST);
  }

  @Test
  void itIsThatOfTheStateThatIsRecordedIfTheRunDecidedAnew() {
    assertThat(recorded("cancelled").operation().plan()).isEqualTo("cancelled");
    assertThat(recorded(null).operation().plan()).isEqualTo(FIRST);
  }

  @Test
  void itIsDatedWithTheTimeOfTheDecision() {
    Instant later = NINE.plusSeconds(90);

    assertThat(FROZEN.operation().plannedAt()).isEqualTo(NINE.toString());
    assertThat(recorded("cancelled", later).operation().plannedAt()).isEqualTo(later.toString());
  }

  @Test
  void theSameDecisionKeepsItsTimeWhenItIsWrittenAgain() {
    Instant later = NINE.plusSeconds(90);

    assertThat(recorded(FIRST, later).operation().plannedAt()).isEqualTo(NINE.toString());
    assertThat(recorded(null, later).operation().plannedAt()).isEqualTo(NINE.toString());
    assertThat(
            StatusChange.freeze(
                    FROZEN, "{\"spec\":{}}", Reports.freeze(Refs.RESOURCE, 2, false), later)
                .operation()
                .plannedAt())
        .isEqualTo(NINE.toString());
  }

  @Test
  void itStaysUntilTheOperationHasEnded() {
    OwnedStatus after =
        StatusChange.stable(
            recorded(null), Reports.of(OperationState.SUCCEEDED, "MarkStable"), NINE);

    assertThat(after.operation().plan()).isEqualTo(FIRST);
  }

  @Test
  void anotherRunBeginsWithoutOne() {
    RunRef other = new RunRef("Rollback", "lane", "another-run");

    OwnedStatus after =
        StatusChange.report(
            FROZEN, Reports.of(Refs.RESOURCE, other, OperationState.RUNNING, "Observe", 1), NINE);

    assertThat(after.operation().plan()).isNull();
  }
}
