package dev.sluice.controller.deployment;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.Nothing;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.controller.operation.ReconcileAction.Signal;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.operation.WorkflowState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides <em>that</em> a FlinkDeployment needs an operation; how is the workflow's to decide. Pure
 * and level-triggered: it depends on the state now, never on what has just changed.
 */
public final class DeploymentPlanner {

  private final SeenDeployment snapshot;
  private final WorkflowState workflow;

  private DeploymentPlanner(SeenDeployment snapshot) {
    this.snapshot = snapshot;
    this.workflow = snapshot.observed().workflow();
  }

  /** What to do now. */
  public static ReconcileAction decide(SeenDeployment snapshot) {
    return new DeploymentPlanner(snapshot).decide();
  }

  private ReconcileAction decide() {
    if (snapshot.phase() == ResourcePhase.DELETING) {
      return deleting();
    }
    Optional<Request> request = snapshot.requests().pending();
    if (request.isPresent() && !mustStartFirst() && !mustWait(request.get())) {
      return answer(request.get());
    }
    return switch (snapshot.phase()) {
      case RUNNING, BLOCKED, PARKED -> keepOpen();
      case PENDING -> start(snapshot.generation());
      case GIVEN_UP, INVALID, SETTLED -> snapshot.mustFinish() ? finish() : recover();
      case DELETING -> new Nothing();
    };
  }

  private ReconcileAction deleting() {
    if (Annotations.forcesDeletion(snapshot.resource().getMetadata())) {
      return new RemoveFinalizer(true);
    }
    if (isDeleted() || nothingBegan()) {
      return new RemoveFinalizer(false);
    }
    boolean sent = workflow.started(OperationType.DELETE);
    if (workflow.fresh() && sent) {
      return new Nothing();
    }
    OperationStatus operation = snapshot.operation();
    boolean known = sent || (operation != null && operation.type() == OperationType.DELETE);
    return new Start(run(OperationType.DELETE, null), snapshot.generation(), known, null);
  }

  private boolean isDeleted() {
    OperationStatus operation = snapshot.operation();
    return operation != null
        && operation.type() == OperationType.DELETE
        && operation.state() == OperationState.SUCCEEDED
        && snapshot.ref().laneId().equals(operation.workflowId());
  }

  /**
   * A run that another controller started this moment has frozen nothing, and finds no resource.
   */
  private boolean nothingBegan() {
    return snapshot.operation() == null
        && snapshot.status().reconciliationStatus() == null
        && workflow.sent() == null
        && workflow.lastStart() == null
        && !snapshot.observed().cluster().present();
  }

  /** A request is for an operation, so the one that the spec wants comes first. */
  private boolean mustStartFirst() {
    return snapshot.phase() == ResourcePhase.PENDING && !workflow.knows(snapshot.generation());
  }

  /** A Finish is soon over and knows no way back; the request is for what follows. */
  private boolean mustWait(Request request) {
    return request instanceof Request.Rollback && snapshot.isOpen(OperationType.FINISH);
  }

  private ReconcileAction answer(Request request) {
    boolean open = snapshot.phase().isOpen() || snapshot.phase() == ResourcePhase.PENDING;
    if (request instanceof Request.Retry && recoversAgain()) {
      return new Start(run(OperationType.RECOVER, request), snapshot.generation(), false, request);
    }
    if (request instanceof Request.Retry && startsAgain()) {
      return new Start(run(snapshot.forward(), request), snapshot.generation(), false, request);
    }
    if (request instanceof Request.Rollback && !open) {
      return new Signal(request, run(OperationType.ROLLBACK, request));
    }
    // a run that is open for the status may be lost: the request must not be lost with it
    return new Signal(request, open ? run(openType(), request) : null);
  }

  /** Whether there is no operation to try again, but something to try. */
  private boolean startsAgain() {
    return snapshot.phase() == ResourcePhase.GIVEN_UP
        || (snapshot.phase() == ResourcePhase.SETTLED && snapshot.isJobManagerMissing());
  }

  private boolean recoversAgain() {
    return LostJob.onRetry(snapshot).isPresent();
  }

  /** An operation that is not at its end has an open run, and that knows the newest generation. */
  private ReconcileAction keepOpen() {
    long goal = snapshot.goal();
    if (goal > snapshot.target() && !workflow.knows(goal)) {
      return new Start(run(openType(), null), goal, false, null);
    }
    return workflow.fresh() ? new Nothing() : new Start(run(openType(), null), goal, true, null);
  }

  private ReconcileAction start(long generation) {
    boolean sent = workflow.knows(generation);
    return sent && workflow.fresh()
        ? new Nothing()
        : new Start(run(openType(), null), generation, sent, null);
  }

  private ReconcileAction finish() {
    boolean sent = workflow.started(OperationType.FINISH);
    if (sent && workflow.fresh()) {
      return new Nothing();
    }
    NewRun run = run(OperationType.FINISH, null);
    return new Start(run, run.generation(), sent, null);
  }

  private ReconcileAction recover() {
    boolean sent = workflow.started(OperationType.RECOVER);
    if (LostJob.of(snapshot).isEmpty() || (sent && workflow.fresh())) {
      return new Nothing();
    }
    NewRun run = run(OperationType.RECOVER, null);
    return new Start(run, run.generation(), sent, null);
  }

  /** The type of the run that is, or should be, open. */
  private OperationType openType() {
    if (snapshot.phase().isOpen() && snapshot.isRollingBack()) {
      return OperationType.ROLLBACK;
    }
    if (snapshot.goal() > snapshot.target()) {
      return snapshot.forward();
    }
    if (snapshot.isOpen(OperationType.RECOVER)) {
      return OperationType.RECOVER;
    }
    return snapshot.isOpen(OperationType.FINISH) ? OperationType.FINISH : snapshot.forward();
  }

  private NewRun run(OperationType type, @Nullable Request request) {
    long generation = generation(type);
    return new NewRun(
        type,
        generation,
        WorkflowSummary.summary(snapshot, type, generation),
        WorkflowSummary.details(snapshot, type, generation, request),
        request instanceof Request.Retry
            || (request instanceof Request.Rollback && type == OperationType.ROLLBACK),
        type == OperationType.RECOVER ? LostJob.begun(snapshot) : null,
        type == OperationType.FINISH && JobManagerShutdown.isTooEarly(snapshot));
  }

  private long generation(OperationType type) {
    FrozenSpec frozen = snapshot.check().frozen();
    return switch (type) {
      case ROLLBACK -> snapshot.phase().isOpen() ? snapshot.target() : snapshot.generation();
      // what runs has finished, whatever the newest spec is
      case FINISH ->
          frozen == null || frozen.generation() == 0 ? snapshot.generation() : frozen.generation();
      case DELETE -> snapshot.generation();
      default -> snapshot.goal();
    };
  }
}
