package dev.sluice.controller.common;

/**
 * Something to tell people once, as a Kubernetes event.
 *
 * @param warning whether action may be required
 * @param reason one of {@link dev.sluice.api.condition.EventReasons}
 * @param message of the event
 */
public record StatusEvent(boolean warning, String reason, String message) {

  /** An event of type Normal. */
  public static StatusEvent normal(String reason, String message) {
    return new StatusEvent(false, reason, message);
  }

  /** An event of type Warning. */
  public static StatusEvent warning(String reason, String message) {
    return new StatusEvent(true, reason, message);
  }
}
