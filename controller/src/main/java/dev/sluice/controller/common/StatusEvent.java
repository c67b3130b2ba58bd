package dev.sluice.controller.common;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes event. It is counted on an earlier one of the same resource that has its reason and
 * subject.
 *
 * @param warning whether action may be required
 * @param reason one of {@link dev.sluice.api.condition.EventReasons}
 * @param message of the event
 * @param at when it happened: what is known to have been told up to a time is not told again, also
 *     over a restart of this process. Null for one that happens whenever it is recorded
 */
public record StatusEvent(
    boolean warning, String reason, String message, String subject, @Nullable Instant at) {

  /** An event of type Normal, which repeats when all its words are the same. */
  public static StatusEvent normal(String reason, String message) {
    return new StatusEvent(false, reason, message, message, null);
  }

  /** An event of type Warning, which repeats when all its words are the same. */
  public static StatusEvent warning(String reason, String message) {
    return new StatusEvent(true, reason, message, message, null);
  }
}
