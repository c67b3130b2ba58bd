package dev.sluice.controller.bluegreen;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.Nothing;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.controller.operation.ReconcileAction.Signal;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.operation.WorkflowState;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides <em>that</em> a FlinkBlueGreenDeployment needs an operation; how its newest spec becomes
 * live is the workflow's to decide. Pure and level-triggered.
 */
final class BlueGreenRequests {

  /** In bytes; see SessionJobPlanner: Temporal counts them in JSON. */
  private static final int MOST_BYTES = 9_500;

  private final SeenBlueGreen seen;
  private final WorkflowState workflow;

  private BlueGreenRequests(SeenBlueGreen seen) {
    this.seen = seen;
    this.workflow = seen.workflow();
  }

  /** What to do now. */
  static ReconcileAction decide(SeenBlueGreen seen) {
    return new BlueGreenRequests(seen).decide();
  }

  private ReconcileAction decide() {
    if (seen.phase() == ResourcePhase.DELETING) {
      return deleting();
    }
    Optional<Request> request = seen.requests().pending();
    if (request.isPresent() && !mustStartFirst()) {
      return answer(request.get());
    }
    return switch (seen.phase()) {
      case RUNNING, BLOCKED, PARKED -> keepOpen();
      case PENDING -> start();
      case SETTLED, GIVEN_UP, INVALID ->
          seen.lacksLiveChild() || seen.runsBoth() ? look() : new Nothing();
      case DELETING -> new Nothing();
    };
  }

  private ReconcileAction deleting() {
    if (Annotations.forcesDeletion(seen.resource().getMetadata())) {
      return new RemoveFinalizer(true);
    }
    if (isDeleted() || nothingBegan()) {
      return new RemoveFinalizer(false);
    }
    boolean sent = workflow.started(OperationType.DELETE);
    if (workflow.fresh() && sent) {
      return new Nothing();
    }
    OperationStatus operation = seen.operation();
    boolean known = sent || (operation != null && operation.type() == OperationType.DELETE);
    return new Start(run(OperationType.DELETE, false), seen.generation(), known, null);
  }

  private boolean isDeleted() {
    OperationStatus operation = seen.operation();
    return operation != null
        && operation.type() == OperationType.DELETE
        && operation.state() == OperationState.SUCCEEDED
        && seen.ref().laneId().equals(operation.workflowId());
  }

  /** Before a child is made, the status says which. */
  private boolean nothingBegan() {
    return seen.operation() == null
        && seen.live().isEmpty()
        && seen.blueGreen().transition() == null
        && seen.observed().children().areNone()
        && workflow.sent() == null
        && workflow.lastStart() == null;
  }

  /** A request is for an operation, so the one that the spec wants comes first. */
  private boolean mustStartFirst() {
    return seen.phase() == ResourcePhase.PENDING && !workflow.knows(seen.generation());
  }

  private ReconcileAction answer(Request request) {
    boolean open = seen.phase().isOpen() || seen.phase() == ResourcePhase.PENDING;
    boolean again = seen.phase() == ResourcePhase.GIVEN_UP || seen.lacksLiveChild();
    if (request instanceof Request.Retry && again) {
      return new Start(run(OperationType.TRANSITION, true), seen.generation(), false, request);
    }
    // a run that is open for the status may be lost: the request must not be lost with it
    return new Signal(
        request, open ? run(OperationType.TRANSITION, request instanceof Request.Retry) : null);
  }

  /** An operation that is not at its end has an open run, and that knows the newest generation. */
  private ReconcileAction keepOpen() {
    long goal = seen.goal();
    NewRun run = run(OperationType.TRANSITION, false);
    if (goal > seen.target() && !workflow.knows(goal)) {
      return new Start(run, goal, false, null);
    }
    return workflow.fresh() ? new Nothing() : new Start(run, goal, true, null);
  }

  private ReconcileAction start() {
    boolean sent = workflow.knows(seen.generation());
    return sent && workflow.fresh()
        ? new Nothing()
        : new Start(run(OperationType.TRANSITION, false), seen.generation(), sent, null);
  }

  /** The run decides what is to be done; one a moment ago may not have written anything yet. */
  private ReconcileAction look() {
    return workflow.fresh()
        ? new Nothing()
        : new Start(run(OperationType.TRANSITION, false), seen.generation(), true, null);
  }

  private NewRun run(OperationType type, boolean retry) {
    long generation = type == OperationType.DELETE ? seen.generation() : seen.goal();
    String title = type.wire().toLowerCase(Locale.ROOT) + " " + seen.ref().display();
    return new NewRun(
        type,
        generation,
        type == OperationType.DELETE ? title : title + " " + generation,
        details(type, generation),
        retry);
  }

  private String details(OperationType type, long generation) {
    StringBuilder text =
        new StringBuilder(
            "**%s** of FlinkBlueGreenDeployment `%s`, generation %d\n"
                .formatted(type.wire(), seen.ref().display(), generation));
    String standing = ColorWords.standing(seen);
    if (!standing.isEmpty()) {
      text.append('\n').append(standing).append('\n');
    }
    seen.check().changes().forEach(change -> text.append("\n* ").append(change));
    return BoundedText.ofBytes(text.toString(), MOST_BYTES);
  }
}
