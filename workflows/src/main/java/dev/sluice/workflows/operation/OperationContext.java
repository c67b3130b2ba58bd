package dev.sluice.workflows.operation;

import dev.sluice.workflows.operation.OperationProgress.Waiting;
import dev.sluice.workflows.resource.ResourceRef;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One run on a lane as it stands: what was asked of it, what it has done, and how people see it.
 * Steps are carried out by {@link Steps}.
 */
public final class OperationContext {

  private final String operation;
  private final OperationInput input;
  private final PendingSignals requests;
  private final Journal journal;
  private final CurrentDetails details;
  private @Nullable String shownStep;
  private boolean cancelled;
  private boolean jobRuns;

  OperationContext(String operation, OperationInput input, boolean abortable) {
    this.operation = operation;
    this.input = input;
    this.requests = new PendingSignals(input.generation(), abortable);
    this.journal = new Journal(operation, input);
    this.details = new CurrentDetails(input.resource());
  }

  /** The workflow type. */
  public String operation() {
    return operation;
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
  public PendingSignals requests() {
    return requests;
  }

  /** The run as people see it. */
  public OperationProgress progress() {
    return journal.progress(requests.pending());
  }

  /** Which generation ran before (null: none) and which one is gone for. */
  public void generations(@Nullable Long from, long target) {
    journal.generations(from, target);
    requests.targetIs(target);
  }

  /** The state that was taken or is restored from; null when there is none. */
  public void savepoint(@Nullable String path) {
    journal.savepoint(path);
  }

  /** Whether the job of before this run is known to run on untouched. */
  public void jobRuns(boolean runs) {
    jobRuns = runs;
  }

  /** Temporal's own Cancel was used on this run: it closes as cancelled whatever it does. */
  public boolean cancelled() {
    return cancelled;
  }

  /** Leaves the path of the operation if something was asked for. */
  public void safePoint() {
    Interrupt interrupt = requests.interrupt();
    if (interrupt != null) {
      throw new InterruptedRun(interrupt);
    }
  }

  void cancelRequested() {
    cancelled = true;
    requests.abort("cancelled in Temporal");
  }

  /** That much later than now, ms since the epoch; the same when the history is replayed. */
  public long in(Duration later) {
    return Workflow.currentTimeMillis() + later.toMillis();
  }

  void begin(Step step, String summary, @Nullable Long deadlineMs) {
    journal.begin(summary, deadlineMs);
    show(step.title());
  }

  void finish(String result) {
    journal.finish(result);
  }

  Waiting park(String reason, String message) {
    Waiting waiting = new Waiting(reason, message, jobRuns);
    journal.park(waiting);
    show(OperationAttributes.PARKED);
    return waiting;
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
