package dev.sluice.controller.operation;

import dev.sluice.api.common.OperationType;
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

  private final Map<Request, Answer> answers = new HashMap<>();
  private @Nullable Long sent;
  private @Nullable OperationType lastStart;
  private @Nullable Instant seenOpen;
  private @Nullable String unavailable;
  private boolean calling;

  /**
   * Whether a call may be made: one at a time, and none that was decided on before the answer to
   * the last one was known.
   */
  synchronized boolean begin(WorkflowState decidedFrom) {
    WorkflowState now =
        new WorkflowState(sent, lastStart, decidedFrom.fresh(), answers, unavailable);
    boolean free = !calling && now.equals(decidedFrom);
    if (free) {
      calling = true;
    }
    return free;
  }

  synchronized void end() {
    calling = false;
  }

  synchronized WorkflowState state(Instant now, Duration resync) {
    boolean fresh = seenOpen != null && seenOpen.plus(resync).isAfter(now);
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

  synchronized void open(Instant now) {
    unavailable = null;
    seenOpen = now;
  }

  synchronized void delivered(Request request, Instant now) {
    answers.put(request, Answer.DELIVERED);
    open(now);
  }

  synchronized void notOpen(Request request) {
    answers.put(request, Answer.NOT_OPEN);
    unavailable = null;
    seenOpen = null;
  }

  synchronized void failed(String why) {
    unavailable = why;
  }

  /** Forgets the answers to all but these. */
  synchronized void keepAnswers(Collection<Request> asked) {
    answers.keySet().retainAll(asked);
  }
}
