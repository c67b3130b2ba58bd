package dev.sluice.activities.status;

import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.FreezeDeployedRequest;
import dev.sluice.workflows.activity.ResourceActivities.FreezeRequest;
import dev.sluice.workflows.activity.ResourceActivities.FreezeStableRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordStateRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordStopRequest;
import dev.sluice.workflows.activity.StableRequest;
import dev.sluice.workflows.model.RestorePoint;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the workflow's part of a status goes from one step to the next. Pure; each change applied to
 * its own result changes nothing.
 */
final class StatusChange {

  private StatusChange() {}

  /**
   * The newest spec becomes the target; or what an operation was begun for, which goes on.
   *
   * @param json the spec, for {@code lastReconciledSpec}
   */
  static OwnedStatus freeze(OwnedStatus now, String json, FreezeRequest request, Instant at) {
    OwnedStatus kept = request.keepRecorded() ? now : now.keptForRunningJob();
    OperationReport report =
        new OperationReport(
            request.resource(),
            request.run(),
            OperationState.RUNNING,
            request.step(),
            request.generation(),
            null,
            request.message(),
            null,
            request.deadlineMs(),
            null);
    OperationStatus reported = OperationChange.of(now.operation(), report, at);
    OperationStatus operation =
        OperationChange.mayGiveUp(reported.type())
            ? reported
            : reported.withFromGeneration(request.fromGeneration());
    ReconciliationStatus before = now.reconciliation();
    ReconciliationStatus target = frozen(before, json, at);
    return kept.withReconciliation(
            target == before ? before : target.withState(ReconciliationState.UPGRADING))
        .withPendingStop(request.stop())
        .withOperation(
            OperationChange.planned(
                operation.withSavepoint(kept.upgradeSavepointPath()), request.message(), at));
  }

  /** A stop of the job is begun, or none is pending any more. */
  static OwnedStatus recordStop(OwnedStatus now, RecordStopRequest request, Instant at) {
    OperationReport report = request.report();
    OwnedStatus reported = report == null ? now : report(now, report, at);
    return reported.withPendingStop(request.stop());
  }

  /** The state that was taken is written down, with the job that is started from it. */
  static OwnedStatus record(OwnedStatus now, RecordStateRequest request, Instant at) {
    OwnedStatus recorded = now.withRecorded(request.recorded());
    OperationStatus after =
        OperationChange.at(
                Objects.requireNonNullElse(now.operation(), OperationStatus.EMPTY),
                OperationState.RUNNING,
                request.step(),
                request.deadlineMs(),
                request.message(),
                at)
            .withSavepoint(recorded.upgradeSavepointPath());
    String plan = request.plan();
    return recorded.withOperation(plan == null ? after : OperationChange.planned(after, plan, at));
  }

  /**
   * The target runs or is suspended. The recorded state stays: a rollback goes back to it, and what
   * is suspended goes on from it.
   *
   * @param nonce of the target's redeployment; null when it has none
   */
  static OwnedStatus stable(
      OwnedStatus now, StableRequest request, @Nullable Long nonce, Instant at) {
    if (!request.inPlace() || now.recordedByOperation() != null) {
      return stable(now, request.report(), at);
    }
    // what a job was started from that was never stopped stays recorded
    OwnedStatus kept = now.withRunningJob();
    boolean isOf =
        kept.recorded() != null
            && (kept.startedJob() == null || kept.startedJob().equals(request.jobId()));
    OwnedStatus running = isOf ? kept : now.withoutRecorded();
    return stable(running.withRedeployNonce(nonce), request.report(), at);
  }

  static OwnedStatus stable(OwnedStatus now, OperationReport report, Instant at) {
    ReconciliationStatus reconciliation = now.reconciliation();
    RestorePoint recorded = now.restorePoint();
    OwnedStatus settled =
        recorded != null
            ? now.withRecorded(recorded.settled())
            : now.recorded() != now.recordedByOperation() ? now.withoutRecorded() : now;
    OwnedStatus reported = report(settled, report, at);
    OwnedStatus counted =
        isRecovery(report) ? up(reported, report, at) : reported.withRecovery(null);
    return counted
        .withPendingStop(null)
        .withEnded(null)
        .withReconciliation(
            reconciliation
                .withLastStableSpec(reconciliation.lastReconciledSpec())
                .withState(
                    keepsGivenUp(reported, report)
                        ? ReconciliationState.ROLLED_BACK
                        : stableState(reconciliation.state())));
  }

  private static boolean isRecovery(OperationReport report) {
    return OperationChange.type(report.run().operation()) == OperationType.RECOVER;
  }

  /** A recovery that has succeeded says since when the job is up. */
  private static OwnedStatus up(OwnedStatus now, OperationReport report, Instant at) {
    RecoveryStatus recovery = now.recovery();
    return isRecovery(report)
            && report.state() == OperationState.SUCCEEDED
            && recovery != null
            && recovery.since() == null
        ? now.withRecovery(recovery.upSince(OperationChange.seconds(at)))
        : now;
  }

  private static ReconciliationState stableState(@Nullable ReconciliationState state) {
    return state == ReconciliationState.ROLLING_BACK || state == ReconciliationState.ROLLED_BACK
        ? ReconciliationState.ROLLED_BACK
        : ReconciliationState.DEPLOYED;
  }

  /** A recovery of the spec before it says nothing about a newer one that was given up. */
  private static boolean keepsGivenUp(OwnedStatus reported, OperationReport report) {
    OperationStatus operation = reported.operation();
    Long givenUp = operation == null ? null : operation.fromGeneration();
    return isRecovery(report) && givenUp != null && givenUp > report.targetGeneration();
  }

  /**
   * The last stable spec, which must be there, becomes the target again. A report of an end says
   * that the job was never touched.
   *
   * @param givenUp the generation that was frozen; null when none was
   * @param suspended the last stable spec runs no job: what the last one left stays recorded
   */
  static OwnedStatus freezeStable(
      OwnedStatus now,
      @Nullable Long givenUp,
      boolean suspended,
      FreezeStableRequest request,
      Instant at) {
    OperationReport report = request.report();
    RestorePoint recorded = request.recorded();
    String stable = Objects.requireNonNull(now.reconciliation().lastStableSpec(), "lastStableSpec");
    boolean untouched =
        report.state() == OperationState.ABORTED || report.state() == OperationState.SUCCEEDED;
    boolean again = stable.equals(now.reconciliation().lastReconciledSpec());
    OwnedStatus reported = up(report(now, report, at), report, at);
    // its JobManager reads it again when it restarts
    OwnedStatus kept = untouched && !suspended ? reported.withRunningJob() : reported;
    OperationStatus operation = OperationChange.of(now.operation(), report, at);
    if (recorded != null) {
      kept = kept.withRecorded(recorded);
      operation = operation.withSavepoint(kept.upgradeSavepointPath());
    }
    ReconciliationStatus back =
        untouched && again ? now.reconciliation() : frozen(now.reconciliation(), stable, at);
    return kept.withReconciliation(
            back.withState(
                untouched
                    ? untouchedState(now, reported, report)
                    : ReconciliationState.ROLLING_BACK))
        .withPendingStop(null)
        .withOperation(
            again || givenUp == null ? operation : operation.withFromGeneration(givenUp));
  }

  private static ReconciliationState untouchedState(
      OwnedStatus now, OwnedStatus reported, OperationReport report) {
    boolean rolledBack = now.reconciliation().state() == ReconciliationState.ROLLED_BACK;
    return isRecovery(report) && (rolledBack || keepsGivenUp(reported, report))
        ? ReconciliationState.ROLLED_BACK
        : ReconciliationState.DEPLOYED;
  }

  /**
   * An earlier spec becomes the target of a rollback by hand.
   *
   * @param json the spec, for {@code lastReconciledSpec}
   * @param givenUp the newest generation
   * @param recorded what its job starts from; null for what the job that runs leaves
   */
  static OwnedStatus freezeRevision(
      OwnedStatus now,
      String json,
      long givenUp,
      @Nullable RestorePoint recorded,
      OperationReport report,
      Instant at) {
    OwnedStatus kept = recorded == null ? now.keptForRunningJob() : now.withRecorded(recorded);
    return kept.withReconciliation(
            frozen(now.reconciliation(), json, at).withState(ReconciliationState.ROLLING_BACK))
        .withOperation(
            OperationChange.of(now.operation(), report, at)
                .withFromGeneration(givenUp)
                .withSavepoint(kept.upgradeSavepointPath()));
  }

  /**
   * The deployed spec becomes the target again, because its job is lost; or it is said why it does
   * not yet. What was recorded for it may be old by now, unless the contrary is proved. An attempt
   * that was begun before goes on.
   */
  static OwnedStatus freezeDeployed(OwnedStatus now, FreezeDeployedRequest request, Instant at) {
    OperationStatus operation = OperationChange.of(now.operation(), request.report(), at);
    OwnedStatus with =
        now.withOperation(
            request.givenUp() == null
                ? operation
                : operation.withFromGeneration(request.givenUp()));
    if (now.reconciliation().isBegun()) {
      return with;
    }
    OwnedStatus counted = with.withRecovery(request.after());
    OwnedStatus kept = request.keeps() == null ? counted.keptForRunningJob() : counted;
    return request.begins()
        ? kept.withReconciliation(
            now.reconciliation()
                .withState(ReconciliationState.UPGRADING)
                .withReconciliationTimestamp(at.toEpochMilli()))
        : counted;
  }

  /**
   * Only the operation changes; and that the job was up is noted in addition to what it started
   * from.
   */
  static OwnedStatus report(OwnedStatus now, OperationReport report, Instant at) {
    OwnedStatus reported = now.withOperation(OperationChange.of(now.operation(), report, at));
    RestorePoint recorded = now.restorePoint();
    String up = report.upJob();
    return up == null || recorded == null || !now.reconciliation().isBegun()
        ? reported
        : reported.withRecorded(recorded.up(up)).withEnded(now.tellsEndOf(up) ? null : now.ended());
  }

  /**
   * The time is that of the operation: one that takes the deployed spec as its target again has not
   * stopped the job before. Whoever takes an operation over that is begun keeps its time.
   */
  private static ReconciliationStatus frozen(ReconciliationStatus before, String json, Instant at) {
    return json.equals(before.lastReconciledSpec()) && before.isBegun()
        ? before
        : before.withLastReconciledSpec(json).withReconciliationTimestamp(at.toEpochMilli());
  }
}
