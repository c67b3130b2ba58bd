package dev.sluice.workflows.operation;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.InterruptedRun.Interrupt;
import dev.sluice.workflows.operation.OperationProgress.Generations;
import dev.sluice.workflows.operation.OperationProgress.Held;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One run on a lane: what was requested of it, what it has done, and how it is shown. Steps are
 * carried out by {@link StepRunner}.
 */
public final class OperationContext {

  private static final int MOST_LINES = 40;

  private String operation;
  private final OperationInput input;
  private final PendingSignals signals;
  private final CurrentDetails details;
  private BooleanSupplier newerSpecDiffers = () -> true;
  private Runnable beginAnew = () -> {};
  private final List<String> done = new ArrayList<>();
  private OperationProgress progress;
  private @Nullable String shownStep;
  private String job = "The job was not observed yet.";
  private OperationType nextOperation;
  private boolean cancelled;

  OperationContext(String operation, OperationInput input, boolean abortable) {
    this.operation = operation;
    this.input = input;
    this.signals = new PendingSignals(input.generation(), abortable);
    this.progress =
        new OperationProgress(
            operation,
            input.resource().display(),
            new Generations(null, input.generation()),
            List.of(),
            null,
            null,
            null,
            null,
            null,
            List.of());
    this.nextOperation =
        operation.equals(OperationType.DEPLOY.wire())
            ? OperationType.DEPLOY
            : OperationType.UPGRADE;
    this.details = new CurrentDetails(input.resource());
  }

  /** What is being done: at first the workflow type. */
  public String operation() {
    return operation;
  }

  /** The run goes on as that operation: it is reported, shown and found as that. */
  public void becomes(OperationType next) {
    if (!operation.equals(next.wire())) {
      operation = next.wire();
      Workflow.upsertTypedSearchAttributes(OperationAttributes.OPERATION.valueSet(operation));
      refresh();
    }
  }

  /** Whose lane this is. */
  public ResourceRef resource() {
    return input.resource();
  }

  /** What the run was started with. */
  public OperationInput input() {
    return input;
  }

  /** What was asked of this run. */
  public PendingSignals signals() {
    return signals;
  }

  /** The run as it is shown. */
  public OperationProgress progress() {
    return progress.withOperation(operation).withDone(done).withRequests(signals.pending());
  }

  /** The generation to reach. */
  public long target() {
    return progress.generations().target();
  }

  /** Which generation ran before (null: none), and which one is the target. */
  public void generations(@Nullable Long from, long target) {
    progress = progress.withGenerations(new Generations(from, target));
  }

  /** {@code Upgrading to generation 7}. */
  public String reaching(long generation) {
    if (operation.equals(OperationType.RECOVER.wire())) {
      return "Recovering generation " + generation;
    }
    if (operation.equals(OperationType.ROLLBACK.wire())) {
      return "Rolling back to generation " + generation;
    }
    if (operation.equals(OperationType.RESCALE.wire())) {
      return "Rescaling to generation " + generation;
    }
    String doing =
        switch (nextOperation) {
          case DEPLOY -> "Deploying";
          case SUSPEND -> "Suspending with";
          case RESUME -> "Resuming with";
          default -> "Upgrading to";
        };
    return doing + " generation " + generation;
  }

  /** The operation that takes the resource to its newest spec, as it was observed last. */
  public OperationType nextOperation() {
    return nextOperation;
  }

  /** As {@link #nextOperation()}. */
  public void nextOperation(OperationType operationToNewest) {
    nextOperation = operationToNewest;
  }

  /** Shows the state that was found. */
  public void state(StateRef found) {
    progress = progress.withState(found.display());
  }

  /** What is known of the job, in one sentence. */
  public void job(String known) {
    job = known;
  }

  /**
   * How to find out whether a newer generation differs from the target in more than ignored fields.
   * Asked at safe points; it observes, and so takes the newer generation as known.
   */
  public void newerSpecDiffers(BooleanSupplier check) {
    newerSpecDiffers = check;
  }

  /**
   * How to go on in a run of its own when the history is long, as that of a run that is held for
   * weeks does. The new run observes and finds itself where this one is.
   */
  public void beginAnew(Runnable handOver) {
    beginAnew = handOver;
  }

  /** Goes on in a run of its own if the history is long, see {@link #beginAnew}. */
  public void beginAnewIfLong() {
    if (Workflow.getInfo().isContinueAsNewSuggested() && !cancelled && !signals.abortAsked()) {
      beginAnew.run();
    }
  }

  /** Temporal's own Cancel was used on this run: it closes as cancelled whatever it does. */
  public boolean cancelled() {
    return cancelled;
  }

  /** Leaves the path of the operation if something was asked for. */
  public void safePoint() {
    Interrupt interrupt = interrupt();
    if (interrupt != null) {
      throw new InterruptedRun(interrupt);
    }
  }

  /** Leaves the path of the operation for a newer generation that was observed. */
  public void leaveForNewer(long generation) {
    throw new InterruptedRun(new Interrupt.Newer(generation));
  }

  /** What was asked for; a newer generation only if its spec differs. May observe. */
  @Nullable Interrupt interrupt() {
    Interrupt interrupt = signals.interrupt();
    if (!(interrupt instanceof Interrupt.Newer)) {
      return interrupt;
    }
    // also while it is being found out, which may take long: it is asked about once
    signals.ignoreNewer();
    boolean differs = newerSpecDiffers.getAsBoolean();
    Interrupt stronger = signals.interrupt();
    if (stronger != null && !(stronger instanceof Interrupt.Newer)) {
      return stronger;
    }
    return differs ? new Interrupt.Newer(signals.known()) : null;
  }

  void cancelRequested() {
    cancelled = true;
    signals.abort("cancelled in Temporal");
  }

  /** That much later than now, ms since the epoch; the same when the history is replayed. */
  public long in(Duration later) {
    return Workflow.currentTimeMillis() + later.toMillis();
  }

  /** The run, for requests. */
  public RunRef run() {
    return new RunRef(operation, Workflow.getInfo().getWorkflowId(), Workflow.getInfo().getRunId());
  }

  /** A report on this run. */
  public OperationReport report(
      OperationState state,
      Step step,
      @Nullable String reason,
      String message,
      @Nullable String event) {
    return new OperationReport(
        resource(), run(), state, step.title(), target(), reason, message, event, null, null);
  }

  /** The report that the operation was given up, with its event. */
  public OperationReport aborted(Step step, String message) {
    return report(
        OperationState.ABORTED, step, Reasons.ABORTED, message, EventReasons.OPERATION_ABORTED);
  }

  void begin(Step step, String summary, @Nullable Long deadlineMs) {
    String deadline =
        deadlineMs == null
            ? null
            : Instant.ofEpochMilli(deadlineMs).truncatedTo(ChronoUnit.SECONDS).toString();
    progress = progress.withStep(summary).withDeadline(deadline).withHeld(null);
    show(step.title());
  }

  /** Notes the result of the step in flight. */
  public void done(String result) {
    done.add(result);
    if (done.size() > MOST_LINES) {
      done.remove(1);
    }
    progress = progress.withStep(null).withDeadline(null).withFailed(null);
    refresh();
  }

  /** Shows that the run is held. */
  void hold(Step step, boolean blocked, String reason, String message, boolean offersRestoreFrom) {
    progress =
        progress
            .withStep(step.title())
            .withDeadline(null)
            .withFailed(reason + ": " + message)
            .withHeld(
                new Held(blocked, reason, message, job, offersRestoreFrom, signals.answersAbort()));
    show(blocked ? OperationAttributes.BLOCKED : OperationAttributes.PARKED);
  }

  void refresh() {
    Workflow.setCurrentDetails(details.render(progress()));
  }

  private void show(String step) {
    refresh();
    if (!step.equals(shownStep)) {
      Workflow.upsertTypedSearchAttributes(OperationAttributes.STEP.valueSet(step));
      shownStep = step;
    }
  }
}
