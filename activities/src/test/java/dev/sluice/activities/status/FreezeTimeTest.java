package dev.sluice.activities.status;

import static dev.sluice.api.common.OperationState.ABORTED;
import static dev.sluice.api.common.OperationState.RUNNING;
import static dev.sluice.api.common.OperationState.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.activity.ResourceActivities.FreezeStableRequest;
import dev.sluice.workflows.model.RestorePoint;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When the target of an operation was frozen: its job was not stopped by it before. */
class FreezeTimeTest {

  private static final Instant EIGHT = Instant.parse("2026-11-21T08:00:00Z");
  private static final Instant NINE = Instant.parse("2026-11-21T09:00:00Z");
  private static final String OLD = "{\"spec\":{},\"generation\":1}";

  /** What an earlier operation left since the freeze before is nothing that this one has taken. */
  @Test
  void theDeployedSpecIsFrozenAnewByAnUpgradeOfItsOwn() {
    OwnedStatus deployed = stable();
    String json = deployed.reconciliation().lastReconciledSpec();

    OwnedStatus begun =
        StatusChange.freeze(deployed, json, Reports.freeze(Refs.RESOURCE, 1, false), NINE);
    OwnedStatus again =
        StatusChange.freeze(
            begun, json, Reports.freeze(Refs.RESOURCE, 1, false), NINE.plusSeconds(60));

    assertThat(begun.reconciliation().reconciliationTimestamp()).isEqualTo(NINE.toEpochMilli());
    assertThat(again.reconciliation().reconciliationTimestamp()).isEqualTo(NINE.toEpochMilli());
  }

  /** Its job was stopped since the Upgrade froze it, if at all. */
  @Test
  void goingBackToTheSameSpecKeepsTheTimeAtWhichItWasFrozen() {
    OwnedStatus begun =
        StatusChange.freeze(stable(), OLD, Reports.freeze(Refs.RESOURCE, 1, false), EIGHT);

    OwnedStatus back =
        StatusChange.freezeStable(
            begun, null, false, freezeStable(RUNNING, "FreezeTarget", null), NINE);
    OwnedStatus kept =
        StatusChange.freezeStable(begun, null, false, freezeStable(ABORTED, "Observe", null), NINE);

    assertThat(back.reconciliation().reconciliationTimestamp()).isEqualTo(EIGHT.toEpochMilli());
    assertThat(kept.reconciliation().reconciliationTimestamp()).isEqualTo(EIGHT.toEpochMilli());
    assertThat(
            StatusChange.freezeStable(
                kept, null, false, freezeStable(ABORTED, "Observe", null), NINE))
        .isEqualTo(kept);
  }

  private static FreezeStableRequest freezeStable(
      OperationState state, String step, @Nullable RestorePoint recorded) {
    return new FreezeStableRequest(Reports.of(state, step), recorded, Reports.BEFORE);
  }

  private static OwnedStatus stable() {
    return StatusChange.stable(
        StatusChange.freeze(OwnedStatus.EMPTY, OLD, Reports.freeze(Refs.RESOURCE, 1, false), EIGHT),
        Reports.of(SUCCEEDED, "MarkStable"),
        EIGHT);
  }
}
