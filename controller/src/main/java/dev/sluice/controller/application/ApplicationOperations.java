package dev.sluice.controller.application;

import dev.sluice.api.Annotations;
import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.NewRun.Loss;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.Nothing;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.controller.operation.ReconcileAction.Signal;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.operation.WorkflowState;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.VersionRef;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides <em>that</em> a FlinkApplication needs an operation; how is the workflow's to decide.
 * Pure and level-triggered.
 */
final class ApplicationOperations {

  private final SeenApplication seen;
  private final WorkflowState workflow;
  private final ResourcePhase phase;

  private ApplicationOperations(SeenApplication seen) {
    this.seen = seen;
    this.workflow = seen.workflow();
    this.phase = seen.phase();
  }

  /** What to do now. */
  static ReconcileAction decide(SeenApplication seen) {
    return new ApplicationOperations(seen).decide();
  }

  private ReconcileAction decide() {
    if (phase == ResourcePhase.DELETING) {
      return deleting();
    }
    Optional<Request> request = seen.requests().pending();
    if (request.isPresent() && !mustStartFirst()) {
      return answer(request.get());
    }
    return switch (phase) {
      case RUNNING, BLOCKED, PARKED -> keepOpen();
      case PENDING -> start();
      case SETTLED, GIVEN_UP, INVALID -> recover();
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

  /** Before a cluster is made, the status says which; that of Lyft's operator counts, too. */
  private boolean nothingBegan() {
    return seen.operation() == null
        && !seen.isLyfts()
        && seen.resource().getStatus().deployment() == null
        && workflow.sent() == null
        && workflow.lastStart() == null;
  }

  /** A request is for an operation, so the one that the spec wants comes first. */
  private boolean mustStartFirst() {
    return phase == ResourcePhase.PENDING && !workflow.knows(seen.generation());
  }

  private ReconcileAction answer(Request request) {
    boolean open = phase.isOpen() || phase == ResourcePhase.PENDING;
    if (request instanceof Request.Retry && phase == ResourcePhase.GIVEN_UP) {
      return new Start(run(seen.forward(), request), seen.generation(), false, request);
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

  private ReconcileAction recover() {
    boolean sent = workflow.started(OperationType.RECOVER);
    if (LostVersion.of(seen).isEmpty() || (sent && workflow.fresh())) {
      return new Nothing();
    }
    return new Start(run(OperationType.RECOVER, null), seen.generation(), sent, null);
  }

  /** The type of the run that is, or should be, open. */
  private OperationType openType() {
    OperationStatus operation = seen.operation();
    if (operation != null
        && operation.isOpen()
        && operation.type() != null
        && operation.type() != OperationType.DELETE) {
      return operation.type();
    }
    return seen.isBegun() ? begun(seen.record()) : seen.forward();
  }

  /** The operation that has left this phase behind. */
  static OperationType begun(ApplicationRecord record) {
    VersionRef target = record.target();
    VersionRef deployed = record.deployed();
    if (record.phase() == ApplicationPhase.DELETING) {
      return OperationType.DELETE;
    }
    if (record.phase() == ApplicationPhase.DUAL_RUNNING) {
      return OperationType.TEAR_DOWN;
    }
    if (target == null) {
      return record.phase() == ApplicationPhase.RECOVERING
              || record.phase() == ApplicationPhase.SUBMITTING_JOB
          ? OperationType.RECOVER
          : OperationType.DEPLOY;
    }
    return deployed != null && target.cluster().equals(deployed.cluster())
        ? OperationType.RESCALE
        : OperationType.DEPLOY;
  }

  private NewRun run(OperationType type, @Nullable Request request) {
    long generation = type == OperationType.DELETE ? seen.generation() : seen.goal();
    return new NewRun(
        type,
        generation,
        summary(type, generation),
        "**%s** of FlinkApplication `%s`, generation %d"
            .formatted(type.wire(), seen.ref().display(), generation),
        request instanceof Request.Retry,
        type == OperationType.RECOVER ? loss() : null,
        false);
  }

  private Loss loss() {
    return new Loss(
        RecoveryCause.JOB_MANAGER_MISSING,
        LostVersion.of(seen)
            .map(
                version ->
                    version.isJobAbsent()
                        ? "%s does not know job %s"
                            .formatted(version.ref().display(), version.ref().jobId())
                        : "The cluster %s is gone".formatted(version.ref().display()))
            .orElse("A recovery was begun and not finished"));
  }

  private String summary(OperationType type, long generation) {
    String title = words(type) + " " + seen.ref().display();
    return type == OperationType.DELETE ? title : title + " " + generation;
  }

  private static String words(OperationType type) {
    return type == OperationType.TEAR_DOWN ? "tear down" : type.wire().toLowerCase(Locale.ROOT);
  }
}
