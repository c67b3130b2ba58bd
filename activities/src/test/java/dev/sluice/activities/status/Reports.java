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
    return new FreezeDeployedRequest(
        of(Refs.RESOURCE, RECOVER, OperationState.RUNNING, "FreezeTarget", 1),
        begins,
        givenUp,
        null,
        null,
        after,
        null,
        new Standing(Phase.IDLE, 1L, null));
  }

  /** What is recorded is proved to be the newest state. */
  static FreezeDeployedRequest keeping(RestorePoint recorded, FreezeDeployedRequest it) {
    return new FreezeDeployedRequest(
        it.report(),
        it.begins(),
        it.givenUp(),
        it.jobId(),
        it.before(),
        it.after(),
        recorded,
        it.plannedFor());
  }

  static FreezeRequest freeze(ResourceRef ref, long generation, boolean keepRecorded) {
    return new FreezeRequest(
        ref,
        RUN,
        generation,
        1L,
        keepRecorded,
        null,
        "CancelJob",
        "Upgrading to generation 2",
        null,
        BEFORE);
  }

  /** The same, of another run. */
  static FreezeRequest by(RunRef run, FreezeRequest it) {
    return new FreezeRequest(
        it.resource(),
        run,
        it.generation(),
        it.fromGeneration(),
        it.keepRecorded(),
        it.stop(),
        it.step(),
        it.message(),
        it.deadlineMs(),
        it.plannedFor());
  }

  /** The same, planned for a status that stands elsewhere. */
  static FreezeRequest plannedFor(Standing standing, FreezeRequest it) {
    return new FreezeRequest(
        it.resource(),
        it.run(),
        it.generation(),
        it.fromGeneration(),
        it.keepRecorded(),
        it.stop(),
        it.step(),
        it.message(),
        it.deadlineMs(),
        standing);
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
