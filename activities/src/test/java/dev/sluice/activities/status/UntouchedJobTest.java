package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.workflows.activity.ResourceActivities.FreezeStableRequest;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The status once an operation is given up that did not stop the job. */
class UntouchedJobTest {

  private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");
  private static final String OLD = "{\"spec\":{},\"generation\":1}";
  private static final String NEW = "{\"spec\":{},\"generation\":2}";

  @ParameterizedTest
  @EnumSource(
      value = OperationState.class,
      names = {"ABORTED", "SUCCEEDED"})
  void whatTheJobWasStartedFromIsRecordedAgain(OperationState end) {
    RestorePoint before =
        new RestorePoint(new StateRef.Savepoint("file:/s"), "0".repeat(32), Refs.JOB_ID);

    OwnedStatus back =
        StatusChange.freezeStable(
            begun(),
            2L,
            false,
            new FreezeStableRequest(Reports.of(end, "Report"), null, Reports.BEFORE, before),
            NOW);

    assertThat(back.restorePoint()).isEqualTo(before);
    assertThat(back.reconciliation().state()).isEqualTo(ReconciliationState.DEPLOYED);
  }

  @Test
  void whatTheOperationHasRecordedGivesWayToWhatTheJobWasStartedFrom() {
    RestorePoint before =
        new RestorePoint(new StateRef.Savepoint("file:/s"), "0".repeat(32), Refs.JOB_ID);
    OwnedStatus recorded =
        StatusChange.record(
            begun(), Reports.record(Refs.RESOURCE, new StateRef.Savepoint("file:/other")), NOW);

    OwnedStatus back =
        StatusChange.freezeStable(
            recorded,
            2L,
            false,
            new FreezeStableRequest(
                Reports.of(OperationState.ABORTED, "Report"), null, Reports.BEFORE, before),
            NOW);

    assertThat(back.restorePoint()).isEqualTo(before);
  }

  /** An upgrade from the old spec, which was stable, to the new one. */
  private static OwnedStatus begun() {
    OwnedStatus stable =
        StatusChange.stable(
            StatusChange.freeze(
                OwnedStatus.EMPTY, OLD, Reports.freeze(Refs.RESOURCE, 1, false), NOW),
            Reports.of(OperationState.SUCCEEDED, "MarkStable"),
            NOW);
    return StatusChange.freeze(stable, NEW, Reports.freeze(Refs.RESOURCE, 2, false), NOW);
  }
}
