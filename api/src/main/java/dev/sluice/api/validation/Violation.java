package dev.sluice.api.validation;

import dev.sluice.api.condition.Reasons;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * A rule that a resource breaks. Path and message are single lines of bounded length, whatever the
 * resource contains.
 *
 * @param path the field, from the top of the resource: {@code spec.job.parallelism}
 * @param message what the value must be, what it is, and what to do
 * @param reason a constant of {@link Reasons}: {@code InvalidSpec}, or why it is not supported yet
 */
public record Violation(String path, String message, String reason) {
  static final int LONGEST_PATH = 300;
  static final int LONGEST_MESSAGE = 600;

  public Violation {
    path = Printable.shortened(path, LONGEST_PATH);
    message = Printable.shortened(message, LONGEST_MESSAGE);
  }

  /** A field that is invalid, as opposed to one that is not supported yet. */
  public Violation(String path, String message) {
    this(path, message, Reasons.INVALID_SPEC);
  }

  /** For conditions and events: {@code spec.job.parallelism: must be at least 1, but is 0}. */
  @Override
  public String toString() {
    return path + ": " + message;
  }

  /** Each with its field, for a sentence: {@code spec.image: must be given; spec.mode: ...}. */
  public static String joined(Collection<Violation> violations) {
    return violations.stream().map(Violation::toString).collect(Collectors.joining("; "));
  }
}
