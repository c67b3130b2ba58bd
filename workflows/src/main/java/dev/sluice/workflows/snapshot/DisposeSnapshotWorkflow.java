package dev.sluice.workflows.snapshot;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OperationWorkflow;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.snapshot.SnapshotActivities.Disposal;
import dev.sluice.workflows.snapshot.SnapshotActivities.DisposeRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Outcome;
import dev.sluice.workflows.snapshot.SnapshotActivities.TakeRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Duration;
import java.util.Objects;

/**
 * The runbook of DisposeSnapshot. It always ends, because a snapshot must not keep its namespace:
 * files that cannot be deleted in time are left and named. Only a savepoint whose resource is being
 * deleted is deleted, never a checkpoint.
 */
public final class DisposeSnapshotWorkflow extends OperationWorkflow implements DisposeSnapshot {

  /** For all attempts to delete the files together. */
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** Limit for the end of a savepoint that is still being taken. */
  private static final Duration IN_FLIGHT = Duration.ofMinutes(2);

  private final SnapshotLog log;

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public DisposeSnapshotWorkflow(OperationInput input) {
    super(
        OperationType.DELETE.wire(),
        input,
        false,
        options -> Workflow.newActivityStub(SnapshotActivities.class, options)::report);
    this.log = new SnapshotLog(context(), steps());
    context().newerSpecDiffers(() -> false);
  }

  @Override
  public OperationResult run(OperationInput input) {
    return carryOut(this::dispose);
  }

  private OperationResult dispose() {
    // the signal that started this run must not interrupt it
    context().signals().deleteTaken();
    SnapshotSeen seen = log.observe();
    SnapshotRecord known = seen.record();
    if (!seen.deleting()) {
      return notDeleted(known);
    }
    if (known.path() != null) {
      return seen.disposes()
          ? ofPath(known.path())
          : end(true, "Its files are left at " + known.path());
    }
    return known.isInFlight()
        ? ofInFlight(seen, Objects.requireNonNull(known.trigger()))
        : end(true, "There is nothing to dispose of.");
  }

  /** A signal by hand asks for a deletion that Kubernetes does not have: the attempt continues. */
  private OperationResult notDeleted(SnapshotRecord known) {
    String why = "Not deleted: 'kubectl delete' deletes the resource, a signal does not.";
    context().done(why);
    return context().cancelled() || known.state().isFinal()
        ? new OperationResult(OperationResult.ABORTED, 0, why)
        : HandOver.to(
            OperationType.SNAPSHOT, context().input().next(context().input().generation(), why));
  }

  private OperationResult ofInFlight(SnapshotSeen seen, Trigger trigger) {
    String left = "A %s was being taken".formatted(seen.what());
    if (!seen.disposes()) {
      return end(true, left + "; if Flink completes it, its files are left");
    }
    long deadline = context().in(IN_FLIGHT);
    try {
      Outcome outcome =
          steps()
              .runOnce(
                  Step.TAKE_SNAPSHOT,
                  "Wait for the savepoint that is being taken, to dispose of it",
                  deadline,
                  SnapshotActivities.class,
                  a -> a.take(new TakeRequest(context().resource(), trigger, false, deadline)));
      if (outcome instanceof Outcome.Taken taken && taken.path() != null) {
        return ofPath(taken.path());
      }
      return outcome instanceof Outcome.Failed failed && failed.counts()
          ? end(true, left + ", and was not completed: " + failed.why())
          : end(false, left + ". Its files may remain: " + why(outcome));
    } catch (ActivityFailure failure) {
      return end(false, left + ". Its files may remain: " + steps().describe(failure));
    }
  }

  private static String why(Outcome outcome) {
    if (outcome instanceof Outcome.Lost lost) {
      return lost.why();
    }
    return outcome instanceof Outcome.Failed failed ? failed.why() : "its path is not known";
  }

  private OperationResult ofPath(String path) {
    long deadline = context().in(LIMIT);
    String why;
    try {
      Disposal disposal =
          steps()
              .runOnce(
                  Step.DISPOSE_SAVEPOINT,
                  "Dispose of " + path,
                  deadline,
                  SnapshotActivities.class,
                  a -> a.dispose(new DisposeRequest(context().resource(), path, deadline)));
      if (disposal instanceof Disposal.Done gone) {
        return end(true, "The savepoint %s is deleted: %s".formatted(path, gone.how()));
      }
      why = ((Disposal.Left) disposal).why();
    } catch (ActivityFailure failure) {
      why = steps().describe(failure);
    }
    return end(false, "The savepoint %s is left: %s".formatted(path, why));
  }

  /** The finalizer goes when the status has this report, whatever is left. */
  private OperationResult end(boolean done, String message) {
    context().done(message);
    OperationReport report =
        context()
            .report(
                done ? OperationState.SUCCEEDED : OperationState.FAILED,
                Step.DISPOSE_SAVEPOINT,
                done ? null : FailureType.TIMED_OUT,
                message,
                done ? EventReasons.CLEANUP : EventReasons.CLEANUP_FAILED);
    boolean unused =
        steps()
            .run(
                Step.REPORT,
                message,
                SnapshotActivities.class,
                a -> {
                  a.report(report);
                  return true;
                });
    return new OperationResult(OperationResult.DELETED, 0, message);
  }
}
