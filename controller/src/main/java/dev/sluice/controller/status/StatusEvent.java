package dev.sluice.controller.status;

/**
 * Something to tell people once, as a Kubernetes event.
 *
 * @param warning whether a person has to do something
 * @param reason one of {@link dev.sluice.api.condition.EventReasons}
 * @param message for people
 */
public record StatusEvent(boolean warning, String reason, String message) {}
