package dev.sluice.api.validation;

import dev.sluice.api.condition.Reasons;

/**
 * One thing that is wrong with a resource.
 *
 * @param path the field, from the top of the resource: {@code spec.job.parallelism}
 * @param message what it must be, what it is, and what to do, for people
 * @param reason a constant of {@link Reasons}: {@code InvalidSpec}, or why it is not supported yet
 */
public record Violation(String path, String message, String reason) {

  /** A field that breaks a rule for good. */
  public Violation(String path, String message) {
    this(path, message, Reasons.INVALID_SPEC);
  }

  /** For conditions and events: {@code spec.job.parallelism: must be at least 1, is 0}. */
  @Override
  public String toString() {
    return path + ": " + message;
  }
}
