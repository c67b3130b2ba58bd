package dev.sluice.controller.common;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something to tell people, as a Kubernetes event.
 *
 * @param warning whether action may be required
 * @param reason one of {@link dev.sluice.api.condition.EventReasons}
 * @param message of the event
 * @param repeats what makes it the same as an earlier one, with which it is then counted
 */
public record StatusEvent(boolean warning, String reason, String message, Repeats repeats) {

  /**
   * What makes an event the same as an earlier one on the same resource: its reason, and this.
   *
   * @param subject of the event
   * @param at when the newest time was that it happened: what is known to have been told up to then
   *     is not told again. Null for one that happens whenever it is written
   * @param times how often it happened
   */
  public record Repeats(String subject, @Nullable Instant at, int times) {}

  /** An event of type Normal, which repeats when all its words are the same. */
  public static StatusEvent normal(String reason, String message) {
    return new StatusEvent(false, reason, message, new Repeats(message, null, 1));
  }

  /** An event of type Warning, which repeats when all its words are the same. */
  public static StatusEvent warning(String reason, String message) {
    return new StatusEvent(true, reason, message, new Repeats(message, null, 1));
  }

  /**
   * An event of type Warning of something that happened at a known time, and so is told once, also
   * over a restart of this process.
   */
  public static StatusEvent observed(
      String reason, String message, String subject, Instant at, int times) {
    return new StatusEvent(true, reason, message, new Repeats(subject, at, times));
  }
}
