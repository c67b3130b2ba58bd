package dev.sluice.workflows.operation;

import dev.sluice.workflows.operation.OperationProgress.Waiting;
import dev.sluice.workflows.resource.OperationReport;
import dev.sluice.workflows.resource.ResourceActivities;
import io.temporal.activity.ActivityOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Functions.Func1;
import io.temporal.workflow.Functions.Func2;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the steps of a run, each one activity. A step that fails for good parks the run until
 * a person, a newer generation or a deletion moves it.
 */
public final class Steps {

  private final OperationContext run;

  Steps(OperationContext run) {
    this.run = run;
  }

  /** A short effect or look. {@code retry} does it again when it failed for good. */
  public <A, O> O effect(Step step, String summary, Class<A> type, Func1<A, O> call) {
    return untilDone(
        step, summary, null, deadline -> call.apply(stub(type, StepOptions.effect(summary))));
  }

  /**
   * A wait that must come to its end once begun; {@code retry} does it again when it failed.
   *
   * @param limit how long each attempt may take; null when it cannot take long
   * @param call is given the time at which to give up, ms since the epoch; null without a limit
   */
  public <A, O> O finishing(
      Step step, String summary, @Nullable Duration limit, Class<A> type, Func2<A, Long, O> call) {
    return untilDone(
        step,
        summary,
        limit,
        deadline -> call.apply(stub(type, StepOptions.wait(summary)), deadline));
  }

  /**
   * A wait that may be left at any moment, because it changes nothing.
   *
   * @param deadlineMs when it gives up, ms since the epoch
   * @throws InterruptedRun when something is asked for before it ends
   * @throws ActivityFailure when it fails for good: what that means is the operation's to say
   */
  public <A, O> O waiting(
      Step step, String summary, long deadlineMs, Class<A> type, Func1<A, O> call) {
    return leavable(
        step, summary, deadlineMs, type, call, () -> run.requests().interrupt() != null);
  }

  /**
   * A wait that only a deletion may leave: what it waits for cannot be taken back, but no longer
   * matters once the resource goes.
   *
   * @param deadlineMs when it gives up, ms since the epoch
   * @throws ActivityFailure when it fails for good
   */
  public <A, O> O committed(
      Step step, String summary, long deadlineMs, Class<A> type, Func1<A, O> call) {
    return leavable(step, summary, deadlineMs, type, call, () -> run.requests().deleteAsked());
  }

  /**
   * A wait that is carried to its end whatever is asked for.
   *
   * @param deadlineMs when it gives up, ms since the epoch; null when it cannot take long
   * @throws ActivityFailure when it fails for good
   */
  public <A, O> O attempt(
      Step step, String summary, @Nullable Long deadlineMs, Class<A> type, Func1<A, O> call) {
    run.begin(step, summary, deadlineMs);
    return call.apply(stub(type, StepOptions.wait(summary)));
  }

  /** Notes the result of the step in flight, in words for people. */
  public void done(String result) {
    run.finish(result);
    run.refresh();
  }

  /**
   * Parks the run and returns when a retry was asked for.
   *
   * @throws InterruptedRun when anything else is
   */
  public void park(Step step, ActivityFailure failure) {
    StepFailure why = StepFailure.of(failure);
    if (why.type().equals(FailureType.RESOURCE_GONE)) {
      throw new InterruptedRun(new Interrupt.Gone());
    }
    park(step, why.type(), why.message());
  }

  /** As {@link #park(Step, ActivityFailure)}, for a reason that the operation found itself. */
  public void park(Step step, String reason, String message) {
    Waiting waiting = run.park(reason, message);
    run.requests().forgetRetry();
    report(report("Parked", step, waiting.reason(), waiting.message(), waiting.reason()));
    Workflow.await(() -> run.requests().retryAsked() || run.requests().interrupt() != null);
    run.safePoint();
    run.begin(step, "retry: " + step.title(), null);
    report(report("Running", step, null, "retry was asked for", null));
  }

  /** Writes a report of this run. */
  public OperationReport report(
      String state, Step step, @Nullable String reason, String message, @Nullable String event) {
    OperationProgress progress = run.progress();
    return new OperationReport(
        run.resource(),
        run.operation(),
        Workflow.getInfo().getWorkflowId(),
        Workflow.getInfo().getRunId(),
        state,
        step.title(),
        progress.targetGeneration(),
        progress.savepoint(),
        reason,
        message,
        event,
        null);
  }

  /** Writes {@code status.operation}; nothing when the resource is gone. */
  public void report(OperationReport report) {
    try {
      stub(ResourceActivities.class, StepOptions.effect(report.message())).report(report);
    } catch (ActivityFailure failure) {
      if (StepFailure.of(failure).type().equals(FailureType.RESOURCE_GONE)) {
        throw new InterruptedRun(new Interrupt.Gone());
      }
      // The report is for people: the run itself does not depend on it.
      Workflow.getLogger(Steps.class).warn("could not report {}", report.message(), failure);
    }
  }

  private <O> O untilDone(
      Step step, String summary, @Nullable Duration limit, Func1<@Nullable Long, O> attempt) {
    while (true) {
      Long deadline = limit == null ? null : Long.valueOf(run.in(limit));
      run.begin(step, summary, deadline);
      try {
        return attempt.apply(deadline);
      } catch (ActivityFailure failure) {
        park(step, failure);
      }
    }
  }

  private <A, O> O leavable(
      Step step,
      String summary,
      long deadlineMs,
      Class<A> type,
      Func1<A, O> call,
      BooleanSupplier leave) {
    run.safePoint();
    run.begin(step, summary, deadlineMs);
    A stub = stub(type, StepOptions.wait(summary));
    Started<O> started = new Started<>();
    CancellationScope scope =
        Workflow.newCancellationScope(() -> started.promise = Async.function(call, stub));
    scope.run();
    Promise<O> promise = started.promise();
    Workflow.await(() -> promise.isCompleted() || leave.getAsBoolean());
    if (!promise.isCompleted()) {
      scope.cancel("left at a safe point");
      throw new InterruptedRun(asked());
    }
    return promise.get();
  }

  private Interrupt asked() {
    Interrupt interrupt = run.requests().interrupt();
    if (interrupt == null) {
      throw new IllegalStateException("left a wait that nobody asked to leave");
    }
    return interrupt;
  }

  private static <A> A stub(Class<A> type, ActivityOptions options) {
    return Workflow.newActivityStub(type, options);
  }

  private static final class Started<O> {
    private @Nullable Promise<O> promise;

    Promise<O> promise() {
      if (promise == null) {
        throw new IllegalStateException("the scope did not run");
      }
      return promise;
    }
  }
}
