package dev.sluice.controller.reconcile;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.ConditionStatus;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.NewRun.Loss;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.EnsureOpen;
import dev.sluice.controller.operation.ReconcileAction.Nothing;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.controller.operation.ReconcileAction.Signal;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.status.SeenResource;
import dev.sluice.workflows.operation.OperationInput;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides <em>that</em> a resource needs an operation; how is the workflow's to decide. Pure and
 * level-triggered: a decision depends on the state now, never on what has just changed.
 *
 * @param <V> the resource with what was observed of it
 */
public abstract class LanePlanner<V extends SeenResource> {

  protected final V seen;

  protected LanePlanner(V seen) {
    this.seen = seen;
  }

  /** The run of that type, for that request; null where the spec asks for it. */
  protected abstract NewRun run(OperationType type, @Nullable Request request);

  /**
   * A run with its texts for Temporal's UI.
   *
   * @param loss that a Recover is for; null for every other type
   * @param standing more about the resource, as sentences; empty for nothing
   */
  protected final NewRun newRun(
      OperationType type, @Nullable Request request, @Nullable Loss loss, String standing) {
    long generation = generation(type);
    String summary = RunText.summary(seen, type, generation);
    boolean retry =
        request != null
            && (request.is(Request.Kind.RETRY)
                || (request.is(Request.Kind.ROLLBACK) && type == OperationType.ROLLBACK));
    OperationInput input =
        OperationInput.of(seen.ref(), generation, loss == null ? summary : loss.why())
            .withRetry(retry);
    return new NewRun(
        workflow(type),
        type,
        loss == null ? input : input.withRecovery(loss.cause()).withSeenUnhealthy(loss.unhealthy()),
        summary,
        RunText.details(seen, type, generation, request, loss, standing));
  }

  /** The workflow type that carries an operation out. */
  protected String workflow(OperationType type) {
    return type.wire();
  }

  /** The type of the run that is, or should be, open. */
  protected OperationType openType() {
    if (seen.phase().isOpen() && seen.isRollingBack()) {
      return OperationType.ROLLBACK;
    }
    boolean recovers = seen.goal() <= seen.target() && seen.isOpen(OperationType.RECOVER);
    return recovers ? OperationType.RECOVER : seen.nextOperation();
  }

  /** The generation that a run is to reach; of a rollback, the one that is given up. */
  protected long generation(OperationType type) {
    return switch (type) {
      case ROLLBACK -> seen.phase().isOpen() ? seen.target() : seen.generation();
      case DELETE -> seen.generation();
      default -> seen.goal();
    };
  }

  /** The run that is needed although the newest spec needs none; null for none. */
  protected abstract @Nullable OperationType idle();

  /** The run that a retry starts; null where there is no more than a run to signal. */
  protected abstract @Nullable OperationType again();

  /** Whether a cluster, a job or a child is known, so that a deletion has something to do. */
  protected abstract boolean mayHaveMadeSomething();

  /** Whether there is a way back to an earlier spec. */
  protected boolean rollsBack() {
    return true;
  }

  /** The decision. */
  protected final ReconcileAction decide() {
    if (seen.phase() == ResourcePhase.DELETING) {
      return deleting();
    }
    Optional<Request> request = seen.requests().pending();
    if (request.isPresent()) {
      return answer(request.get());
    }
    return switch (seen.phase()) {
      case RUNNING, BLOCKED, PARKED -> keepOpen();
      case PENDING -> new EnsureOpen(run(openType(), null), seen.generation(), false, null);
      case GIVEN_UP, INVALID, SETTLED, DELETING -> begin(idle());
    };
  }

  private ReconcileAction deleting() {
    if (Annotations.forcesDeletion(seen.resource().getMetadata())) {
      return new RemoveFinalizer(true);
    }
    if (isDeleted() || nothingBegan()) {
      return new RemoveFinalizer(false);
    }
    OperationStatus operation = seen.operation();
    boolean taken = operation != null && operation.type() == OperationType.DELETE;
    return new EnsureOpen(run(OperationType.DELETE, null), seen.generation(), taken, null);
  }

  private boolean isDeleted() {
    OperationStatus operation = seen.operation();
    return operation != null
        && operation.type() == OperationType.DELETE
        && operation.state() == OperationState.SUCCEEDED
        && seen.ref().laneId().equals(operation.workflowId());
  }

  /** A run that was started this moment has frozen nothing, and finds no resource. */
  private boolean nothingBegan() {
    return seen.operation() == null
        && !mayHaveMadeSomething()
        && !seen.status()
            .condition(ConditionTypes.PROGRESSING)
            .filter(it -> ConditionStatus.TRUE.wire().equals(it.getStatus()))
            .isPresent()
        && seen.status().conditions().stream()
            .noneMatch(it -> Reasons.DELETING.equals(it.getReason()));
  }

  private ReconcileAction answer(Request request) {
    boolean pending = seen.phase() == ResourcePhase.PENDING;
    boolean open = seen.phase().isOpen() || pending;
    OperationType again = request.is(Request.Kind.RETRY) ? again() : null;
    if (again != null) {
      return new EnsureOpen(run(again, request), seen.generation(), false, request);
    }
    if (request.is(Request.Kind.ROLLBACK) && !open && rollsBack()) {
      return new Signal(request, run(OperationType.ROLLBACK, request));
    }
    // a run that is open for the status may be lost: the request must not be lost with it
    return new Signal(
        request, open ? run(openType(), request) : null, pending ? seen.generation() : null);
  }

  /** An operation that is not at its end has an open run, which knows the newest generation. */
  private ReconcileAction keepOpen() {
    long goal = seen.goal();
    return new EnsureOpen(run(openType(), null), goal, goal <= seen.target(), null);
  }

  private ReconcileAction begin(@Nullable OperationType type) {
    if (type == null) {
      return new Nothing();
    }
    NewRun run = run(type, null);
    return new EnsureOpen(run, run.generation(), true, null);
  }
}
