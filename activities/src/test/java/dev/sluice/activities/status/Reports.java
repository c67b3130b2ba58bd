package dev.sluice.activities.status;

import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.FreezeDeployedRequest;
import dev.sluice.workflows.activity.ResourceActivities.FreezeRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordStateRequest;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.Standing;
import dev.sluice.workflows.model.StateRef;

/** Requests of one upgrade, for tests. */
final class Reports {

  static final RunRef RUN = new RunRef("Upgrade", "lane", "run-1");

  static final RunRef RECOVER = new RunRef("Recover", "lane", "run-2");

  /** Of a resource that nothing was done to. */
  static final Standing BEFORE = new Standing(Phase.IDLE, null, null);

  private Reports() {}

  static OperationReport of(OperationState state, String step) {
    return of(Refs.RESOURCE, RUN, state, step, 2);
  }

  static OperationReport of(
      ResourceRef ref, RunRef run, OperationState state, String step, long generation) {
    return new OperationReport(ref, run, state, step, generation, null, "words", null, null, null);
  }

  static FreezeDeployedRequest recovery(boolean begins, Long givenUp, RecoveryStatus after) {
    return recovery(begins, givenUp, after, null);
  }

  /**
   * @param keeps what is recorded, where that is proved to be the newest state
   */
  static FreezeDeployedRequest recovery(
      boolean begins, Long givenUp, RecoveryStatus after, RestorePoint keeps) {
    return new FreezeDeployedRequest(
        of(Refs.RESOURCE, RECOVER, OperationState.RUNNING, "FreezeTarget", 1),
        begins,
        givenUp,
        null,
        null,
        after,
        keeps,
        new Standing(Phase.IDLE, 1L, null));
  }

  static FreezeRequest freeze(ResourceRef ref, long generation, boolean keepRecorded) {
    return freeze(RUN, ref, generation, keepRecorded, BEFORE);
  }

  static FreezeRequest freeze(
      RunRef run, ResourceRef ref, long generation, boolean keepRecorded, Standing plannedFor) {
    return new FreezeRequest(
        ref,
        run,
        generation,
        1L,
        keepRecorded,
        null,
        "CancelJob",
        "Upgrading to generation 2",
        null,
        plannedFor);
  }

  /** When generation 1 is frozen. */
  static RecordStateRequest record(ResourceRef ref, StateRef state) {
    return record(ref, state, null, new Standing(Phase.UPGRADING, 1L, null));
  }

  static RecordStateRequest record(
      ResourceRef ref, StateRef state, String usedRestoreFrom, Standing plannedFor) {
    return new RecordStateRequest(
        ref,
        new RestorePoint(state, Refs.JOB_ID, Refs.OTHER_JOB_ID),
        "DeleteCluster",
        "words",
        null,
        usedRestoreFrom,
        plannedFor,
        null);
  }
}
