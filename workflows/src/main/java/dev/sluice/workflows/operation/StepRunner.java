package dev.sluice.workflows.operation;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.operation.InterruptedRun.Interrupt;
import io.temporal.activity.ActivityOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Functions.Func1;
import io.temporal.workflow.Functions.Func2;
import io.temporal.workflow.Functions.Proc1;
import io.temporal.workflow.Functions.Proc2;
import io.temporal.workflow.Promise;
import io.temporal.workflow.TimerOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the steps of a run, each one activity. A step that fails for a reason that may pass
 * is blocked: it is tried again with back-off. One that needs action is parked. Both listen to
 * signals, and both look again by themselves.
 */
public final class StepRunner {

  private static final String UNWRITTEN = "";
  private static final TimerOptions LOOK_AGAIN =
      TimerOptions.newBuilder().setSummary("Held: looks again after a pause").build();

  private final OperationContext context;
  private final Function<ActivityOptions, Consumer<OperationReport>> reports;
  private final HoldPauses pauses = new HoldPauses();
  private @Nullable String reportedHold;
  private boolean reported;

  StepRunner(
      OperationContext context, Function<ActivityOptions, Consumer<OperationReport>> reports) {
    this.context = context;
    this.reports = reports;
    // the run that handed over has said that it is under way
    this.reported = Workflow.getInfo().getContinuedExecutionRunId().isPresent();
  }

  /** Why a run that was held goes on. */
  public enum Wake {
    /** The user requested it. */
    RETRY,
    /** It is time to look again. */
    TIMER
  }

  /** A step without a result. */
  public static <A> Func1<A, Boolean> doing(Proc1<A> call) {
    return activities -> {
      call.apply(activities);
      return true;
    };
  }

  /** The same of a step that is given the time at which to give up, ms since the epoch. */
  public static <A> Func2<A, Long, Boolean> doing(Proc2<A, Long> call) {
    return (activities, deadline) -> {
      call.apply(activities, deadline);
      return true;
    };
  }

  /**
   * A short effect or look, carried out until it succeeds.
   *
   * @throws OutdatedStep when it was made for something that is not there any more
   * @throws InterruptedRun when something is asked for while it is blocked or parked
   */
  public <A, O> O run(Step step, String summary, Class<A> type, Func1<A, O> call) {
    return untilDone(
        step, summary, null, deadline -> call.apply(stub(type, StepOptions.effect(summary))));
  }

  /**
   * A short effect that is tried once, because what it is for may pass until it can be repeated.
   *
   * @throws ActivityFailure when it fails; what became of it may not be known
   */
  public <A, O> O tryOnce(Step step, String summary, Class<A> type, Func1<A, O> call) {
    context.begin(step, summary, null);
    return call.apply(stub(type, StepOptions.effect(summary)));
  }

  /**
   * A wait that must come to its end once begun.
   *
   * @param limit how long each attempt may take
   * @param call is given the time at which to give up, ms since the epoch
   * @throws OutdatedStep as {@link #run}
   * @throws InterruptedRun as {@link #run}
   */
  public <A, O> O runToCompletion(
      Step step, String summary, Duration limit, Class<A> type, Func2<A, Long, O> call) {
    return untilDone(
        step,
        summary,
        limit,
        deadline ->
            call.apply(
                stub(type, StepOptions.wait(summary, limit)), Objects.requireNonNull(deadline)));
  }

  /**
   * A wait that may be left at any moment, because it changes nothing.
   *
   * @param deadlineMs when it gives up, ms since the epoch
   * @throws InterruptedRun when something is asked for before it ends
   * @throws ActivityFailure when it fails: what that means is the operation's to say
   */
  public <A, O> O awaitInterruptibly(
      Step step, String summary, long deadlineMs, Class<A> type, Func1<A, O> call) {
    context.safePoint();
    return await(
            step,
            summary,
            deadlineMs,
            stub(type, StepOptions.wait(summary, left(deadlineMs))),
            call,
            Leaving.when(interrupt -> true))
        .orElseThrow();
  }

  /**
   * As {@link #awaitInterruptibly}, of a wait that finds out by itself how long it may take. While
   * the status still says that the run is held, and so offers a retry, a retry ends it.
   *
   * @param deadlineMs when it gives up at first, ms since the epoch
   * @return empty when a retry ended it
   */
  public <A, O> Optional<O> awaitAtLength(
      Step step, String summary, long deadlineMs, Class<A> type, Func1<A, O> call) {
    context.safePoint();
    boolean offersRetry = reportedHold != null;
    Optional<O> ended =
        await(
            step,
            summary,
            deadlineMs,
            stub(type, StepOptions.wait(summary, StepOptions.atLength(left(deadlineMs)))),
            call,
            new Leaving(interrupt -> true, () -> offersRetry && context.signals().retryAsked()));
    if (ended.isEmpty()) {
      retries(step);
    }
    return ended;
  }

  /**
   * A wait that only a deletion may leave: what it waits for cannot be taken back, but no longer
   * matters once the resource goes. It may queue before it begins.
   *
   * @param deadlineMs when it gives up, ms since the epoch
   * @throws ActivityFailure when it fails
   */
  public <A, O> O awaitUnlessDeleted(
      Step step, String summary, long deadlineMs, Class<A> type, Func1<A, O> call) {
    return await(
            step,
            summary,
            deadlineMs,
            stub(type, StepOptions.wait(summary, StepOptions.queued(left(deadlineMs)))),
            call,
            Leaving.when(interrupt -> interrupt instanceof Interrupt.Delete))
        .orElseThrow();
  }

  /**
   * A wait that is carried to its end once, whatever is asked for.
   *
   * @param deadlineMs when it gives up, ms since the epoch
   * @throws ActivityFailure when it fails
   */
  public <A, O> O runOnce(
      Step step, String summary, long deadlineMs, Class<A> type, Func1<A, O> call) {
    context.begin(step, summary, deadlineMs);
    return call.apply(stub(type, StepOptions.wait(summary, left(deadlineMs))));
  }

  /**
   * Blocks or parks the run once, and reports it.
   *
   * @return why it goes on
   * @throws InterruptedRun when anything but a retry is asked for
   */
  public Wake hold(Step step, StepFailure why, boolean offersRestoreFrom) {
    return hold(step, why, offersRestoreFrom, pauses.next(why));
  }

  /** The same for a pause of that length. */
  public Wake hold(Step step, StepFailure why, boolean offersRestoreFrom, Duration pause) {
    context.hold(step, why.mayPass(), why.type(), why.message(), offersRestoreFrom);
    context.signals().forgetRetry();
    tellHeld(step, why);
    if (awaitRequest(pause, LOOK_AGAIN)) {
      context.safePoint();
    }
    if (context.signals().retryAsked()) {
      retries(step);
      return Wake.RETRY;
    }
    context.beginAnewIfLong();
    return Wake.TIMER;
  }

  /**
   * Waits until then, before something is begun. A retry counts that came since {@link
   * PendingSignals#forgetRetry()}: whoever tells of the pause forgets the earlier ones before,
   * because a retry may come as soon as that is told.
   *
   * @param untilMs ms since the epoch
   * @return whether a retry was requested, which ends the wait at once
   * @throws InterruptedRun when anything else is asked for
   */
  public boolean pause(Step step, String summary, long untilMs) {
    context.begin(step, summary, null);
    TimerOptions shown = TimerOptions.newBuilder().setSummary(summary).build();
    while (!context.signals().retryAsked() && !left(untilMs).isZero()) {
      if (awaitRequest(left(untilMs), shown)) {
        context.safePoint();
      }
    }
    return context.signals().retryAsked();
  }

  /** Whether something was asked for before the pause was over. The UI shows what the pause is. */
  private boolean awaitRequest(Duration pause, TimerOptions shown) {
    Started<@Nullable Void> timer = new Started<>();
    CancellationScope scope =
        Workflow.newCancellationScope(
            () -> timer.promise = Workflow.newTimer(pause, shown).handle((none, left) -> none));
    scope.run();
    PendingSignals signals = context.signals();
    BooleanSupplier asked = () -> signals.retryAsked() || signals.interrupt() != null;
    Workflow.await(() -> asked.getAsBoolean() || timer.promise().isCompleted());
    if (!asked.getAsBoolean()) {
      return false;
    }
    scope.cancel("something was requested");
    return true;
  }

  private void retries(Step step) {
    context.signals().forgetRetry();
    goesOn(step, "Retry requested: " + step.title());
  }

  /** The run continues: reports it, if the hold was reported. */
  public void goesOn(Step step, String why) {
    boolean told = reportedHold != null;
    goesOnUntold(step, why);
    if (told) {
      report(context.report(OperationState.RUNNING, step, null, why, null));
    }
  }

  /** The run continues, and what it writes next says so. */
  public void goesOnUntold(Step step, String why) {
    pauses.reset();
    context.begin(step, why, null);
    reportedHold = null;
  }

  private void tellHeld(Step step, StepFailure why) {
    String told = step + " " + why.type() + why.message();
    if (told.equals(reportedHold)) {
      return;
    }
    OperationState state = why.mayPass() ? OperationState.BLOCKED : OperationState.PARKED;
    String event = why.mayPass() ? EventReasons.BLOCKED : EventReasons.PARKED;
    boolean written = write(context.report(state, step, why.type(), why.message(), event));
    // what could not be written is written when the run looks again
    reportedHold = written ? told : UNWRITTEN;
  }

  /** Whether the status says that the run is held at that step. */
  public boolean tellsHoldAt(Step step) {
    return reportedHold != null && reportedHold.startsWith(step + " ");
  }

  /** Whether the run has written {@code status.operation}. */
  public boolean hasReported() {
    return reported;
  }

  /** Says that the run has come to its end, if the status may still say that it is under way. */
  public void reportEnd(Step step, String why) {
    if (reported) {
      report(context.report(OperationState.SUCCEEDED, step, null, why, null));
    }
  }

  /** Writes {@code status.operation}; the run itself does not depend on it. */
  public void report(OperationReport report) {
    boolean unused = write(report);
  }

  /** Whether it was written. */
  private boolean write(OperationReport report) {
    reported = true;
    try {
      reports.apply(StepOptions.effect(report.message())).accept(report);
      return true;
    } catch (ActivityFailure failure) {
      if (StepFailure.is(failure, FailureType.RESOURCE_GONE)) {
        throw new InterruptedRun(new Interrupt.Gone());
      }
      Workflow.getLogger(StepRunner.class).warn("could not report {}", report.message(), failure);
      return false;
    }
  }

  /** What every operation makes of a failure: gone, outdated, or a reason to hold the run. */
  public StepFailure failure(ActivityFailure failure) {
    if (StepFailure.is(failure, FailureType.RESOURCE_GONE)) {
      throw new InterruptedRun(new Interrupt.Gone());
    }
    if (StepFailure.is(failure, FailureType.OUTDATED)) {
      throw new OutdatedStep(failure);
    }
    return StepFailure.of(failure);
  }

  /**
   * What a failure says, for an operation that continues in any case.
   *
   * @throws InterruptedRun when the resource is gone
   */
  public String describe(ActivityFailure failure) {
    try {
      return failure(failure).message();
    } catch (OutdatedStep outdated) {
      return String.valueOf(outdated.getMessage());
    }
  }

  private <O> O untilDone(
      Step step, String summary, @Nullable Duration limit, Func1<@Nullable Long, O> attempt) {
    boolean held = false;
    while (true) {
      Long deadline = limit == null ? null : Long.valueOf(context.in(limit));
      context.begin(step, summary, deadline);
      try {
        O result = attempt.apply(deadline);
        if (held && step.writesOperation()) {
          reportedHold = null;
        } else if (held) {
          goesOn(step, step.title() + " succeeded");
        }
        return result;
      } catch (ActivityFailure failure) {
        hold(step, failure(failure), false);
        held = true;
      }
    }
  }

  private <A, O> Optional<O> await(
      Step step, String summary, long deadlineMs, A stub, Func1<A, O> call, Leaving leaving) {
    context.begin(step, summary, deadlineMs);
    Started<O> started = new Started<>();
    CancellationScope scope =
        Workflow.newCancellationScope(() -> started.promise = Async.function(call, stub));
    scope.run();
    Promise<O> promise = started.promise();
    // a wait that is left has no other consumer of its failure; Temporal would warn of that
    Promise<@Nullable O> unused = promise.handle((result, failure) -> result);
    while (true) {
      Workflow.await(() -> promise.isCompleted() || leaving.isDue(context.signals().interrupt()));
      if (promise.isCompleted()) {
        return Optional.of(promise.get());
      }
      Interrupt interrupt = context.interrupt();
      if (interrupt != null && leaving.interrupts(interrupt)) {
        scope.cancel("left at a safe point");
        throw new InterruptedRun(interrupt);
      }
      if (leaving.ends().getAsBoolean()) {
        scope.cancel("left for a retry");
        return Optional.empty();
      }
      context.begin(step, summary, deadlineMs);
    }
  }

  private Duration left(long deadlineMs) {
    return Duration.ofMillis(Math.max(0, deadlineMs - Workflow.currentTimeMillis()));
  }

  private static <A> A stub(Class<A> type, ActivityOptions options) {
    return Workflow.newActivityStub(type, options);
  }

  private static final class Started<O> {
    private @Nullable Promise<O> promise;

    Promise<O> promise() {
      return Objects.requireNonNull(promise, "the scope did not run");
    }
  }

  /** How long a held run waits until it looks again: longer each time while the reason stays. */
  private static final class HoldPauses {

    private static final Duration BLOCKED_FIRST = Duration.ofSeconds(5);
    private static final Duration PARKED_FIRST = Duration.ofSeconds(30);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private @Nullable String reason;
    private Duration next = BLOCKED_FIRST;

    Duration next(StepFailure why) {
      if (!why.type().equals(reason)) {
        reason = why.type();
        next = why.mayPass() ? BLOCKED_FIRST : PARKED_FIRST;
      }
      Duration now = next;
      Duration doubled = now.multipliedBy(2);
      next = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
      return now;
    }

    void reset() {
      reason = null;
    }
  }

  /**
   * When a wait is left before its end.
   *
   * @param interrupts what interrupts it
   * @param ends what ends it, while it is so
   */
  private record Leaving(Predicate<Interrupt> interrupts, BooleanSupplier ends) {

    static Leaving when(Predicate<Interrupt> interrupts) {
      return new Leaving(interrupts, () -> false);
    }

    boolean isDue(@Nullable Interrupt asked) {
      return ends.getAsBoolean() || interrupts(asked);
    }

    boolean interrupts(@Nullable Interrupt asked) {
      return asked != null && interrupts.test(asked);
    }
  }
}
