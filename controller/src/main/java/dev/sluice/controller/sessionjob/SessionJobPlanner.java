package dev.sluice.controller.sessionjob;

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
import org.jspecify.annotations.Nullable;

/**
 * Decides <em>that</em> a FlinkSessionJob needs an operation; how is the workflow's to decide, and
 * so is the wait for its session cluster. Pure and level-triggered.
 */
final class SessionJobPlanner {

  /**
   * In bytes. Temporal refuses a start with more than 20,000, and counts them in JSON, where a
   * quote or the end of a line takes two.
   */
  private static final int MOST_BYTES = 9_500;

  private final SeenSessionJob seen;
  private final WorkflowState workflow;

  private SessionJobPlanner(SeenSessionJob seen) {
    this.seen = seen;
    this.workflow = seen.workflow();
  }

  /** What to do now. */
  static ReconcileAction decide(SeenSessionJob seen) {
    return new SessionJobPlanner(seen).decide();
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
      case SETTLED -> seen.mustLeave() ? leave() : recover();
      case GIVEN_UP, INVALID -> recover();
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
    return new Start(run(OperationType.DELETE, null), seen.generation(), known, null);
  }

  private boolean isDeleted() {
    OperationStatus operation = seen.operation();
    return operation != null
        && operation.type() == OperationType.DELETE
        && operation.state() == OperationState.SUCCEEDED
        && seen.ref().laneId().equals(operation.workflowId());
  }

  /** Before Flink is asked to run a job, the status says which. */
  private boolean nothingBegan() {
    return seen.operation() == null
        && seen.status().reconciliationStatus() == null
        && seen.status().submission() == null
        && workflow.sent() == null
        && workflow.lastStart() == null;
  }

  /** A request is for an operation, so the one that the spec wants comes first. */
  private boolean mustStartFirst() {
    return seen.phase() == ResourcePhase.PENDING && !workflow.knows(seen.generation());
  }

  private ReconcileAction answer(Request request) {
    boolean open = seen.phase().isOpen() || seen.phase() == ResourcePhase.PENDING;
    if (request instanceof Request.Retry && LostSessionJob.onRetry(seen).isPresent()) {
      return new Start(run(OperationType.RECOVER, request), seen.generation(), false, request);
    }
    if (request instanceof Request.Retry && seen.phase() == ResourcePhase.GIVEN_UP) {
      return new Start(run(seen.forward(), request), seen.generation(), false, request);
    }
    if (request instanceof Request.Retry && seen.mayLeaveAfterAll()) {
      return new Start(run(OperationType.UPGRADE, request), seen.generation(), false, request);
    }
    if (request instanceof Request.Rollback && !open) {
      return new Signal(request, run(OperationType.ROLLBACK, request));
    }
    // a run that is open for the status may be lost: the request must not be lost with it
    return new Signal(request, open ? run(openType(), request) : null);
  }

  /** An operation that is not at its end has an open run, and that knows the newest generation. */
  private ReconcileAction keepOpen() {
    long goal = seen.goal();
    if (goal > seen.target() && !workflow.knows(goal)) {
      return new Start(run(openType(), null), goal, false, null);
    }
    return workflow.fresh() ? new Nothing() : new Start(run(openType(), null), goal, true, null);
  }

  private ReconcileAction start() {
    boolean sent = workflow.knows(seen.generation());
    return sent && workflow.fresh()
        ? new Nothing()
        : new Start(run(openType(), null), seen.generation(), sent, null);
  }

  /**
   * The same spec again, on the cluster that comes next. An Upgrade that was started a moment ago
   * may be the one before.
   */
  private ReconcileAction leave() {
    return new Start(run(OperationType.UPGRADE, null), seen.generation(), true, null);
  }

  private ReconcileAction recover() {
    boolean sent = workflow.started(OperationType.RECOVER);
    if (LostSessionJob.of(seen).isEmpty() || (sent && workflow.fresh())) {
      return new Nothing();
    }
    NewRun run = run(OperationType.RECOVER, null);
    return new Start(run, run.generation(), sent, null);
  }

  /** The type of the run that is, or should be, open. */
  private OperationType openType() {
    if (seen.phase().isOpen() && seen.isRollingBack()) {
      return OperationType.ROLLBACK;
    }
    if (seen.goal() > seen.target()) {
      return seen.forward();
    }
    return seen.isOpen(OperationType.RECOVER) ? OperationType.RECOVER : seen.forward();
  }

  private NewRun run(OperationType type, @Nullable Request request) {
    long generation = generation(type);
    boolean asked =
        request instanceof Request.Retry
            || (request instanceof Request.Rollback && type == OperationType.ROLLBACK);
    return new NewRun(
        type,
        generation,
        summary(type, generation),
        details(type, generation),
        asked,
        type == OperationType.RECOVER ? LostSessionJob.begun(seen) : null,
        false);
  }

  private long generation(OperationType type) {
    return switch (type) {
      case ROLLBACK -> seen.phase().isOpen() ? seen.target() : seen.generation();
      case DELETE -> seen.generation();
      default -> seen.goal();
    };
  }

  private String summary(OperationType type, long generation) {
    String title = type.wire().toLowerCase(Locale.ROOT) + " " + seen.ref().display();
    return type == OperationType.DELETE ? title : title + " " + generation;
  }

  private String details(OperationType type, long generation) {
    StringBuilder text =
        new StringBuilder(
            "**%s** of FlinkSessionJob `%s`, generation %d, on session cluster `%s`\n"
                .formatted(
                    type.wire(),
                    seen.ref().display(),
                    generation,
                    seen.resource().getSpec().deploymentName()));
    if (type == OperationType.RECOVER) {
      text.append("\nBrings its job back: %s.\n".formatted(LostSessionJob.begun(seen).why()));
    }
    seen.check().changes().forEach(change -> text.append("\n* ").append(change));
    return BoundedText.ofBytes(text.toString(), MOST_BYTES);
  }
}
