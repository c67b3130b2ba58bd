package dev.sluice.api.validation;

/**
 * A setting that is accepted but has no effect. Path and message are single lines of bounded
 * length, whatever the resource contains.
 *
 * @param path the field, from the top of the resource: {@code spec.ingress}
 * @param message why it has no effect and what to do
 */
public record Warning(String path, String message) {
  public Warning {
    path = Printable.shortened(path, Violation.LONGEST_PATH);
    message = Printable.shortened(message, Violation.LONGEST_MESSAGE);
  }

  /** For conditions and events: {@code spec.ingress: has no effect yet, ...}. */
  @Override
  public String toString() {
    return path + ": " + message;
  }
}
