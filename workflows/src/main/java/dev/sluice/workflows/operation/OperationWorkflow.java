package dev.sluice.workflows.operation;

import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.model.ResourceRef;
import io.temporal.activity.ActivityOptions;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.CompletablePromise;
import io.temporal.workflow.Workflow;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What all operations share: the signals, and that Temporal's own Cancel means abort. The operation
 * runs in a detached scope, so that a Cancel cannot tear it out of the middle of a step.
 */
public abstract class OperationWorkflow implements LaneSignals {

  private final OperationContext context;
  private final StepRunner steps;

  /**
   * @param operation the workflow type
   * @param input what the run was started with
   * @param abortable whether {@code abort} has a meaning for this operation
   */
  protected OperationWorkflow(String operation, OperationInput input, boolean abortable) {
    this(
        operation,
        input,
        abortable,
        options -> Workflow.newActivityStub(ResourceActivities.class, options)::report);
  }

  /**
   * As above, of a kind whose status is written by an activity of its own.
   *
   * @param reports writes what the run says of itself
   */
  protected OperationWorkflow(
      String operation,
      OperationInput input,
      boolean abortable,
      Function<ActivityOptions, Consumer<OperationReport>> reports) {
    this.context = new OperationContext(operation, input, abortable);
    this.steps = new StepRunner(context, reports);
  }

  /** The run as it stands. */
  protected final OperationContext context() {
    return context;
  }

  /** Carries out the steps of this context. */
  protected final StepRunner steps() {
    return steps;
  }

  /** Runs the operation so that Temporal's Cancel asks for an abort and nothing more. */
  protected final OperationResult carryOut(Supplier<OperationResult> operation) {
    CancellationScope.current()
        .getCancellationRequest()
        .thenApply(
            reason -> {
              context.cancelRequested();
              return reason;
            });
    if (Workflow.getInfo().getContinuedExecutionRunId().isEmpty()) {
      count("started", Map.of());
    }
    CompletablePromise<OperationResult> outcome = Workflow.newPromise();
    Workflow.newDetachedCancellationScope(() -> outcome.complete(unlessGone(operation))).run();
    context.refresh();
    OperationResult result = outcome.get();
    count("ended", Map.of("outcome", result.result()));
    return result;
  }

  /** The SDK adds the workflow type and leaves replays out. */
  private void count(String what, Map<String, String> tags) {
    ResourceRef resource = context.resource();
    Workflow.getMetricsScope()
        .tagged(Map.of("kind", resource.kind(), "resource_namespace", resource.namespace()))
        .tagged(tags)
        .counter("sluice_operations_" + what)
        .inc(1);
  }

  private OperationResult unlessGone(Supplier<OperationResult> operation) {
    OperationResult result;
    try {
      result = operation.get();
    } catch (InterruptedRun gone) {
      // Each operation answers what it is asked; what is left is that its resource vanished.
      result = OperationResult.gone();
    }
    ParallelEffects.join();
    return result;
  }

  @Override
  public final void retarget(long generation) {
    context.signals().retarget(generation);
  }

  @Override
  public final void abort(String reason) {
    context.signals().abort(reason);
  }

  @Override
  public final void rollback(String reason) {
    context.signals().rollback(reason);
  }

  @Override
  public final void retry() {
    context.signals().retry();
  }

  @Override
  public final void delete() {
    context.signals().delete();
  }

  @Override
  public final OperationProgress progress() {
    return context.progress();
  }
}
