package dev.sluice.workflows.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.AwaitChildRequest;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepRunner;
import io.temporal.failure.ActivityFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The runbook of DeleteBlueGreen: delete both children, each of which ends its job as its own spec
 * says, wait until they are gone, say so. Always ends: what is not gone in time is reported, and
 * Kubernetes removes it by its owner.
 */
final class DeleteBlueGreenProcedure {

  static final int ATTEMPTS = 3;

  /** A child may take a savepoint before it goes. */
  private static final Duration GONE = Duration.ofMinutes(10);

  private final OperationContext context;
  private final StepRunner steps;

  DeleteBlueGreenProcedure(OperationContext context, StepRunner steps) {
    this.context = context;
    this.steps = steps;
    context.newerSpecDiffers(() -> false);
  }

  /** Returns when no child is left, or when what is left is reported. */
  OperationResult removeEverything() {
    // the signal has brought us here; it must not interrupt what it asked for
    context.signals().deleteTaken();
    BlueGreenSeen seen = observe();
    if (!seen.deleting()) {
      return notDeleted(seen);
    }
    List<String> left = new ArrayList<>();
    for (Color color : inOrder(seen)) {
      remove(color, seen).ifPresent(left::add);
    }
    String message =
        left.isEmpty()
            ? "No child is left."
            : "Children are left, which Kubernetes removes: " + String.join("; ", left);
    steps.report(
        context.report(
            OperationState.SUCCEEDED,
            Step.DELETE_CHILD,
            left.isEmpty() ? null : FailureType.CLUSTER_NOT_GONE,
            message,
            left.isEmpty() ? EventReasons.CLEANUP : EventReasons.CLEANUP_FAILED));
    return new OperationResult(OperationResult.DELETED, 0, message);
  }

  /** The live one last. */
  private static List<Color> inOrder(BlueGreenSeen seen) {
    Color live = seen.standing().live();
    Color last = live == null ? Color.BLUE : live;
    return List.of(last.other(), last);
  }

  private BlueGreenSeen observe() {
    return steps.run(
        Step.OBSERVE,
        "Observe the resource and its children",
        BlueGreenActivities.class,
        a -> a.observe(context.resource()));
  }

  /** Empty when it is gone, else what is left. */
  private Optional<String> remove(Color color, BlueGreenSeen first) {
    BlueGreenSeen seen = first;
    String name = color.child(context.resource().name());
    String left = "";
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      Optional<ChildSeen> child = seen.child(color).filter(ChildSeen::ours);
      if (child.isEmpty()) {
        return Optional.empty();
      }
      try {
        delete(name, seen, child.get());
        context.done(name + " is deleted");
        return Optional.empty();
      } catch (ActivityFailure failure) {
        left = name + ": " + steps.describe(failure);
        context.done("Attempt %d of %d failed: %s".formatted(attempt, ATTEMPTS, left));
        seen = attempt < ATTEMPTS ? observe() : seen;
      }
    }
    return Optional.of(left);
  }

  private void delete(String name, BlueGreenSeen seen, ChildSeen child) {
    long deadline = context.in(GONE);
    boolean unused =
        steps.runOnce(
            Step.DELETE_CHILD,
            "Delete " + name + ", and wait until it is gone",
            deadline,
            BlueGreenActivities.class,
            a -> {
              a.deleteChild(
                  new AwaitChildRequest(
                      context.resource(),
                      seen.standing(),
                      seen.generation(),
                      child.color(),
                      child.uid(),
                      deadline));
              return true;
            });
  }

  /** A signal sent by hand asks for a deletion that Kubernetes knows nothing of. */
  private OperationResult notDeleted(BlueGreenSeen seen) {
    String why = "Not deleted: 'kubectl delete' deletes the resource, a signal does not.";
    context.done(why);
    if (context.cancelled()) {
      return new OperationResult(OperationResult.ABORTED, 0, why);
    }
    // what was requested of the run before is still to be done
    OperationInput input = context.input();
    OperationInput next = input.next(seen.generation(), why);
    return HandOver.to(Transition.TYPE, next.withAborts(input.aborts()).withRetry(input.retry()));
  }
}
