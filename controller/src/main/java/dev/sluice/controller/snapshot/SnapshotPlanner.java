package dev.sluice.controller.snapshot;

import dev.sluice.api.common.OperationType;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.Nothing;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.controller.operation.ReconcileAction.Signal;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.WorkflowState;
import java.util.Locale;
import java.util.Optional;

/** Decides <em>that</em> a snapshot needs an operation. Pure and level-triggered. */
final class SnapshotPlanner {

  private final SeenSnapshot seen;
  private final WorkflowState workflow;

  private SnapshotPlanner(SeenSnapshot seen) {
    this.seen = seen;
    this.workflow = seen.workflow();
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
    if (request.isPresent() && !mustStartFirst()) {
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

  /** Whether a run may be at work, also one that has not written anything yet. */
  private boolean isUnderway() {
    return seen.isOpen() || (!seen.state().isFinal() && workflow.sent() != null);
  }

  private ReconcileAction dispose() {
    boolean sent = workflow.started(OperationType.DELETE);
    return sent && workflow.fresh()
        ? new Nothing()
        : new Start(run(OperationType.DELETE, false), seen.generation(), sent, null);
  }

  /** A request is for an operation, so the one that the spec wants comes first. */
  private boolean mustStartFirst() {
    return seen.isWanted() && !seen.isOpen() && !workflow.knows(seen.generation());
  }

  private ReconcileAction answer(Request request) {
    boolean retry = request instanceof Request.Retry;
    boolean again = retry && seen.violations().isEmpty() && seen.state() != SnapshotState.COMPLETED;
    // a signal also where it was given up: the run that wrote so may not have closed yet
    return new Signal(
        request, seen.isWanted() || again ? run(OperationType.SNAPSHOT, retry) : null);
  }

  private ReconcileAction take() {
    boolean known = seen.isOpen() || workflow.knows(seen.generation());
    return known && workflow.fresh()
        ? new Nothing()
        : new Start(run(OperationType.SNAPSHOT, false), seen.generation(), known, null);
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
