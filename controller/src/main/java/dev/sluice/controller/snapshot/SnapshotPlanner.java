package dev.sluice.controller.snapshot;

import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.controller.common.ConditionStatus;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.Nothing;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.controller.operation.ReconcileAction.Signal;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.controller.operation.Request;
import java.util.Locale;
import java.util.Optional;

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
    Optional<Request> request = seen.requests().pending();
    if (request.isPresent()) {
      return answer(request.get());
    }
    return seen.isWanted() ? take() : new Nothing();
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
    return new Start(run(OperationType.DELETE, false), seen.generation(), taken, null);
  }

  private ReconcileAction answer(Request request) {
    boolean retry = request.is(Request.Kind.RETRY);
    boolean again = retry && seen.violations().isEmpty() && seen.state() != SnapshotState.COMPLETED;
    // a signal also where it was given up: the run that wrote so may not have closed yet
    return new Signal(
        request, seen.isWanted() || again ? run(OperationType.SNAPSHOT, retry) : null);
  }

  /** Its spec never changes, so there is nothing to signal to an open run. */
  private ReconcileAction take() {
    return new Start(run(OperationType.SNAPSHOT, false), seen.generation(), true, null);
  }

  private NewRun run(OperationType type, boolean retry) {
    String summary =
        "%s %s: %s"
            .formatted(type.wire().toLowerCase(Locale.ROOT), seen.ref().display(), seen.what());
    return new NewRun(
        type,
        seen.generation(),
        summary,
        "`kubectl get flinksnp -n %s %s`".formatted(seen.ref().namespace(), seen.ref().name()),
        retry);
  }
}
