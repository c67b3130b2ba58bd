package dev.sluice.controller.operation;

import dev.sluice.api.common.OperationType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of a resource's workflow from its own calls. Nothing after a restart,
 * which is harmless: everything may be sent twice.
 *
 * @param sent the newest generation that Temporal acknowledged; null when none was sent yet
 * @param lastStart the type that was started, or was to be, last; null when none was yet
 * @param fresh a run was seen open, or was started, less than one resync ago
 * @param answers what became of the requests that were sent
 * @param unavailable why Temporal cannot be used now, the same text with each attempt; null while
 *     it can
 */
public record WorkflowState(
    @Nullable Long sent,
    @Nullable OperationType lastStart,
    boolean fresh,
    Map<Request, Answer> answers,
    @Nullable String unavailable) {

  /** Nothing was sent yet. */
  public static final WorkflowState NOTHING = new WorkflowState(null, null, false, Map.of(), null);

  public WorkflowState {
    answers = Map.copyOf(answers);
  }

  /** The same while nothing else is known, and Temporal cannot be used for this reason. */
  WorkflowState orUnavailable(@Nullable String why) {
    return unavailable != null || why == null
        ? this
        : new WorkflowState(sent, lastStart, fresh, answers, why);
  }

  /** Whether Temporal acknowledged this generation, or a newer one. */
  public boolean knows(long generation) {
    return sent != null && sent >= generation;
  }

  /** Whether a run of this type was the last to be started. */
  public boolean started(OperationType type) {
    return lastStart == type;
  }

  /** What became of a request. */
  public enum Answer {
    /** It is in the history of an open run. */
    DELIVERED,
    /** No run was open, and none was to be. */
    NOT_OPEN,
    /** The operation was started again for it. */
    STARTED
  }
}
