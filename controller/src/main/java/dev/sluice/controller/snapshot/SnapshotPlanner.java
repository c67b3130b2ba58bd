package dev.sluice.controller.snapshot;

import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.controller.common.ConditionStatus;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.EnsureOpen;
import dev.sluice.controller.operation.ReconcileAction.Nothing;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.snapshot.Snapshot;
import java.util.Locale;

/** Decides <em>that</em> a snapshot needs an operation. Pure and level-triggered. */
final class SnapshotPlanner {

  private final SeenSnapshot seen;

  private SnapshotPlanner(SeenSnapshot seen) {
    this.seen = seen;
  }

  /** What to do now. */
  static ReconcileAction decide(SeenSnapshot seen) {
    return new SnapshotPlanner(seen).decide();
  }

  /** What to do when the resource does not exist any more: a run that is open is told so. */
  static ReconcileAction onceGone(SeenSnapshot seen) {
    SnapshotPlanner planner = new SnapshotPlanner(seen);
    return planner.isUnderway() ? planner.dispose() : new Nothing();
  }

  private ReconcileAction decide() {
    if (seen.isDeleting()) {
      return deleting();
    }
    // its spec never changes, so there is nothing to signal to an open run
    return seen.isWanted() ? start(OperationType.SNAPSHOT, true) : new Nothing();
  }

  private ReconcileAction deleting() {
    if (!seen.hasFinalizer()) {
      return isUnderway() ? dispose() : new Nothing();
    }
    if (seen.isForced()) {
      return new RemoveFinalizer(true);
    }
    return seen.isDisposed() || (!hasFiles() && !isUnderway())
        ? new RemoveFinalizer(false)
        : dispose();
  }

  /** Also where their path is not known yet: Flink may be taking the savepoint. */
  private boolean hasFiles() {
    boolean known = seen.state() == SnapshotState.COMPLETED && seen.status().path() != null;
    return seen.resource().getSpec().isDisposedWithResource()
        && (known || seen.state() == SnapshotState.IN_PROGRESS);
  }

  /** Whether a run may be at work: before one is called for, the status says so. */
  private boolean isUnderway() {
    boolean calledFor =
        seen.status()
            .condition(ConditionTypes.PROGRESSING)
            .filter(it -> ConditionStatus.TRUE.wire().equals(it.getStatus()))
            .isPresent();
    return seen.isOpen() || (!seen.state().isFinal() && !seen.isDisposed() && calledFor);
  }

  private ReconcileAction dispose() {
    OperationStatus operation = seen.status().operation();
    boolean taken = operation != null && operation.type() == OperationType.DELETE;
    return start(OperationType.DELETE, taken);
  }

  private EnsureOpen start(OperationType type, boolean unlessOpen) {
    String summary =
        "%s %s: %s"
            .formatted(type.wire().toLowerCase(Locale.ROOT), seen.ref().display(), seen.what());
    NewRun run =
        new NewRun(
            Snapshot.TYPE, // also of a deletion
            type,
            OperationInput.of(seen.ref(), seen.generation(), summary),
            summary,
            "`kubectl get flinksnp -n %s %s`".formatted(seen.ref().namespace(), seen.ref().name()));
    return new EnsureOpen(run, seen.generation(), unlessOpen, null);
  }
}
