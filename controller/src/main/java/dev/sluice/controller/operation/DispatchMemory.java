package dev.sluice.controller.operation;

import dev.sluice.api.common.OperationType;
import dev.sluice.controller.deployment.Decision.Start;
import dev.sluice.controller.deployment.Request;
import dev.sluice.controller.deployment.WorkflowState;
import dev.sluice.controller.deployment.WorkflowState.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What was told to one lane, and what it answered. */
final class DispatchMemory {

  private final Map<Request, Answer> answers = new HashMap<>();
  private @Nullable Long told;
  private boolean deletionTold;
  private @Nullable Instant seenOpen;
  private @Nullable String unavailable;
  private boolean calling;

  /** Whether a call may be made: one at a time. */
  synchronized boolean begin() {
    boolean free = !calling;
    calling = true;
    return free;
  }

  synchronized void end() {
    calling = false;
  }

  synchronized WorkflowState seen(Instant now, Duration resync) {
    boolean fresh = seenOpen != null && seenOpen.plus(resync).isAfter(now);
    return new WorkflowState(told, deletionTold, fresh, answers, unavailable);
  }

  synchronized void started(Start start, Instant now) {
    if (start.type() == OperationType.DELETE) {
      deletionTold = true;
    } else {
      told = told == null ? start.generation() : Math.max(told, start.generation());
    }
    if (start.answering() != null) {
      answers.put(start.answering(), Answer.STARTED);
    }
    open(now);
  }

  synchronized void open(Instant now) {
    unavailable = null;
    seenOpen = now;
  }

  synchronized void answered(Request request, Answer answer) {
    unavailable = null;
    answers.put(request, answer);
    if (answer == Answer.NOT_OPEN) {
      seenOpen = null;
    }
  }

  synchronized void failed(String why) {
    unavailable = why;
  }

  synchronized void forget(Predicate<Request> handled) {
    answers.keySet().removeIf(handled);
  }
}
