package dev.sluice.controller.deployment;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of a resource's lane from its own calls. Nothing after a restart, which
 * is harmless: everything may be sent twice.
 *
 * @param told the newest generation that Temporal acknowledged; null when none was sent yet
 * @param deletionTold Temporal acknowledged that the resource is to be deleted
 * @param fresh a run was seen open, or was started, less than one resync ago
 * @param answers what became of the requests that were sent and are not in the status yet
 * @param unavailable why Temporal cannot be used now, in words that stay the same from try to try;
 *     null while it can
 */
public record WorkflowState(
    @Nullable Long told,
    boolean deletionTold,
    boolean fresh,
    Map<Request, Answer> answers,
    @Nullable String unavailable) {

  /** Nothing was sent yet. */
  public static final WorkflowState NOTHING = new WorkflowState(null, false, false, Map.of(), null);

  public WorkflowState {
    answers = Map.copyOf(answers);
  }

  /** Whether the lane was told of this generation, or of a newer one. */
  public boolean knows(long generation) {
    return told != null && told >= generation;
  }

  /** What became of a request. */
  public enum Answer {
    /** It is in the history of an open run. */
    DELIVERED,
    /** No run was open. */
    NOT_OPEN,
    /** The operation was started again for it. */
    STARTED
  }
}
