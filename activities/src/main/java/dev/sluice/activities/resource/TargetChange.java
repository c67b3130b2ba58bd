package dev.sluice.activities.resource;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.resource.FreezeRequest;
import dev.sluice.workflows.resource.OperationReport;
import dev.sluice.workflows.resource.RecordStateRequest;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the workflow's part of a status goes from one step to the next. Pure; each change applied to
 * its own result changes nothing.
 */
final class TargetChange {

  private TargetChange() {}

  /** The newest spec becomes the target. */
  static OwnedStatus freeze(
      OwnedStatus now,
      FlinkDeploymentSpec spec,
      long generation,
      FreezeRequest request,
      Instant at) {
    FrozenSpec before = now.frozen();
    boolean first = before == null || (before.firstDeployment() && now.stable() == null);
    String path = request.keepState() ? now.upgradeSavepointPath() : null;
    FrozenSpec target = new FrozenSpec(spec, generation, first);
    return new OwnedStatus(
        frozen(now.reconciliation(), target.toJson(), at).withState(ReconciliationState.UPGRADING),
        begun(now.operation(), request, generation, path, spec, at),
        path);
  }

  private static OperationStatus begun(
      @Nullable OperationStatus current,
      FreezeRequest request,
      long generation,
      @Nullable String path,
      FlinkDeploymentSpec spec,
      Instant at) {
    OperationStatus before = current == null ? OperationStatus.EMPTY : current;
    boolean sameRun = Objects.equals(before.runId(), request.runId());
    OperationChange.Step step =
        OperationChange.step(before, sameRun, request.step(), OperationState.RUNNING, at);
    return new OperationStatus(
        OperationChange.type(request.operation()),
        OperationState.RUNNING,
        request.step(),
        request.workflowId(),
        request.runId(),
        request.fromGeneration(),
        generation,
        step.attempt(),
        step.since(),
        sameRun && goesOn(before, request.step())
            ? before.deadline()
            : OperationChange.deadline(deadlineMs(request.step(), spec, at)),
        path,
        null,
        "to generation " + generation + ": " + Summary.of(spec));
  }

  /** FrozenTarget again by the same run: the time that was told holds. */
  private static boolean goesOn(OperationStatus before, String step) {
    return step.equals(before.step())
        && before.state() == OperationState.RUNNING
        && before.deadline() != null;
  }

  private static @Nullable Long deadlineMs(String step, FlinkDeploymentSpec spec, Instant at) {
    return StepLimits.afterFreeze(step, FrozenTargets.savepointTimeout(spec).toMillis())
        .map(limit -> at.plus(limit).toEpochMilli())
        .orElse(null);
  }

  /** The state that was taken is written down; null for none. */
  static OwnedStatus record(OwnedStatus now, RecordStateRequest request, Instant at) {
    OperationStatus operation = now.operation() == null ? OperationStatus.EMPTY : now.operation();
    return new OwnedStatus(
        now.reconciliation(),
        OperationChange.at(operation, request.step(), at)
            .withSavepoint(request.path())
            .withDeadline(OperationChange.deadline(request.deadlineMs()))
            .withMessage(
                Objects.requireNonNullElse(
                    request.message(),
                    request.path() == null
                        ? "no state to restore from"
                        : "the state of the job is recorded")),
        request.path());
  }

  /** The target runs. */
  static OwnedStatus stable(OwnedStatus now, OperationReport report, Instant at) {
    ReconciliationStatus reconciliation = now.reconciliation();
    return now.withReconciliation(
            reconciliation
                .withLastStableSpec(reconciliation.lastReconciledSpec())
                .withState(stableState(reconciliation.state())))
        .withOperation(OperationChange.of(now.operation(), report, at));
  }

  private static ReconciliationState stableState(@Nullable ReconciliationState state) {
    return state == ReconciliationState.ROLLING_BACK || state == ReconciliationState.ROLLED_BACK
        ? ReconciliationState.ROLLED_BACK
        : ReconciliationState.DEPLOYED;
  }

  /** The last stable spec, which must be there, becomes the target again. */
  static OwnedStatus freezeStable(OwnedStatus now, OperationReport report, Instant at) {
    String stable = Objects.requireNonNull(now.reconciliation().lastStableSpec(), "lastStableSpec");
    FrozenSpec givenUp = now.frozen();
    boolean untouched = OperationState.ABORTED.wire().equals(report.state());
    boolean again = stable.equals(now.reconciliation().lastReconciledSpec());
    OperationStatus operation = OperationChange.of(now.operation(), report, at);
    return new OwnedStatus(
        frozen(now.reconciliation(), stable, at)
            .withState(untouched ? ReconciliationState.DEPLOYED : ReconciliationState.ROLLING_BACK),
        again || givenUp == null ? operation : operation.withFromGeneration(givenUp.generation()),
        now.upgradeSavepointPath());
  }

  /** Only the operation changes. */
  static OwnedStatus report(OwnedStatus now, OperationReport report, Instant at) {
    return now.withOperation(OperationChange.of(now.operation(), report, at));
  }

  private static ReconciliationStatus frozen(ReconciliationStatus before, String json, Instant at) {
    return json.equals(before.lastReconciledSpec())
        ? before
        : before.withLastReconciledSpec(json).withReconciliationTimestamp(at.toEpochMilli());
  }
}
