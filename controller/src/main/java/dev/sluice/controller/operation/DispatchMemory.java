package dev.sluice.controller.operation;

import dev.sluice.api.common.OperationType;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.operation.ReconcileAction.Signal;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.controller.operation.WorkflowState.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was sent for one resource, and what Temporal answered. */
final class DispatchMemory {

  /** The longest pause between two calls that are not answered, in those between two tries. */
  private static final int MOST_PAUSES = 10;

  private final ReconcileIntervals intervals;
  private final Map<Request, Answer> answers = new HashMap<>();
  private @Nullable Long sent;
  private @Nullable OperationType lastStart;
  private @Nullable Instant seenOpen;
  private @Nullable Instant foundOpen;
  private @Nullable Refusal refusal;
  private @Nullable Turn turn;

  /**
   * @param intervals how long an open run is taken for granted, and a call that was refused is not
   *     made again
   */
  DispatchMemory(ReconcileIntervals intervals) {
    this.intervals = intervals;
  }

  /**
   * The turn of a call that may be made: one at a time, none that was decided on before the answer
   * to the last one was known, not at once the one that was just refused, and no check a moment
   * after one that found a run open. A check that still waits for a thread loses its turn to what
   * is asked for.
   *
   * @return null when it may not be made now
   */
  synchronized @Nullable Turn begin(
      WorkflowState decidedFrom, ReconcileAction decision, Instant now) {
    WorkflowState known =
        new WorkflowState(sent, lastStart, decidedFrom.fresh(), answers, decidedFrom.unavailable());
    boolean inTheWay = turn != null && !(turn.isQueuedCheck() && !decision.isCheck());
    if (inTheWay || !known.equals(decidedFrom)) {
      return null;
    }
    if (decision.isCheck()
        && foundOpen != null
        && now.isBefore(foundOpen.plus(intervals.temporalRetry()))) {
      return null;
    }
    boolean afterSilence = refusal != null && refusal.silence;
    if (refusal != null) {
      boolean same = refusal.call.equals(Called.of(decision));
      if (same && now.isBefore(refusal.again)) {
        return null;
      }
      if (refusal.isOutdated(now)) {
        refusal = null;
      }
    }
    turn = new Turn(decision.isCheck(), afterSilence);
    return turn;
  }

  /**
   * A thread is there for the call.
   *
   * @return false when it has lost its turn
   */
  synchronized boolean take(Turn taken) {
    taken.queued = false;
    return turn == taken;
  }

  synchronized void end(Turn ended) {
    if (turn == ended) {
      turn = null;
    }
  }

  synchronized WorkflowState state(Instant now) {
    boolean fresh = seenOpen != null && seenOpen.plus(intervals.resync()).isAfter(now);
    Refusal last = refusal;
    String unavailable = last != null && (turn != null || !last.isOutdated(now)) ? last.why : null;
    return new WorkflowState(sent, lastStart, fresh, answers, unavailable);
  }

  synchronized void started(Start start, Instant now) {
    lastStart = start.run().type();
    if (lastStart != OperationType.DELETE) {
      sent = sent == null ? start.newest() : Math.max(sent, start.newest());
    }
    if (start.request() != null) {
      answers.put(start.request(), Answer.STARTED);
    }
    open(now);
  }

  /** A check was answered: a run is open. */
  synchronized void foundOpen(Instant now) {
    open(now);
    foundOpen = now;
  }

  synchronized void open(Instant now) {
    refusal = null;
    seenOpen = now;
  }

  synchronized void delivered(Request request, Instant now) {
    answers.put(request, Answer.DELIVERED);
    open(now);
  }

  synchronized void notOpen(Request request) {
    answers.put(request, Answer.NOT_OPEN);
    refusal = null;
    seenOpen = null;
  }

  /** A call was answered with a refusal. */
  synchronized void refused(ReconcileAction decision, String why, Instant now) {
    Duration pause = pause(decision);
    Instant again = now.plus(pause);
    refusal = new Refusal(Called.of(decision), why, false, again, again.plus(pause), pause);
  }

  /**
   * A call was not answered, while others are: it is made less and less often, because it holds a
   * thread until its deadline, but about once a minute. The time that it was under way counts.
   *
   * @param began when the call did
   * @param now when it was known that there is no answer
   */
  synchronized void unanswered(ReconcileAction decision, String why, Instant began, Instant now) {
    Called call = Called.of(decision);
    Duration pause = pause(decision);
    if (refusal != null && refusal.silence && refusal.call.equals(call)) {
      Duration doubled = refusal.pause.multipliedBy(2);
      Duration most = longer(pause, intervals.temporalRetry().multipliedBy(MOST_PAUSES));
      pause = doubled.compareTo(most) < 0 ? doubled : most;
    }
    refusal =
        new Refusal(call, why, true, began.plus(pause), now.plus(pause.multipliedBy(2)), pause);
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private Duration pause(ReconcileAction decision) {
    return decision.isCheck() ? intervals.resync() : intervals.temporalRetry();
  }

  /** Forgets the answers to all but these. */
  synchronized void keepAnswers(Collection<Request> asked) {
    answers.keySet().retainAll(asked);
  }

  /** The right to make one call; each is another one. */
  static final class Turn {

    private final boolean check;
    private final boolean afterSilence;
    private boolean queued = true;

    private Turn(boolean check, boolean afterSilence) {
      this.check = check;
      this.afterSilence = afterSilence;
    }

    /** Whether the last call for the resource was not answered: this one may hold its thread. */
    boolean isAfterSilence() {
      return afterSilence;
    }

    private boolean isQueuedCheck() {
      return check && queued;
    }
  }

  /**
   * Temporal refused a call.
   *
   * @param silence whether it did not answer at all
   * @param again when it is made again, if it is needed then
   * @param outdated when it would have been made again, had it been needed
   * @param pause before it is made again
   */
  private record Refusal(
      Called call, String why, boolean silence, Instant again, Instant outdated, Duration pause) {

    boolean isOutdated(Instant now) {
      return !now.isBefore(outdated);
    }
  }

  /** What makes a call the same as another one; its texts may differ. */
  private record Called(
      boolean check,
      @Nullable OperationType type,
      @Nullable Long newest,
      @Nullable Request request) {

    static Called of(ReconcileAction decision) {
      if (decision instanceof Start start) {
        return new Called(start.unlessOpen(), start.run().type(), start.newest(), start.request());
      }
      Request request = decision instanceof Signal signal ? signal.request() : null;
      return new Called(false, null, null, request);
    }
  }
}
