package dev.sluice.controller.operation;

import dev.sluice.api.Annotations;

/**
 * A request to the operation in flight, made by annotating the resource.
 *
 * @param text value of the annotation; another value is another request
 */
public record Request(Kind kind, String text) {

  /** What is requested; the abort first, which makes a retry idle. */
  public enum Kind {
    /** Call the operation off. */
    ABORT(Annotations.ABORT),
    /** Go back to an earlier spec; the same as an abort while an operation is open. */
    ROLLBACK(Annotations.ROLLBACK),
    /** Try again now: the step that is parked or blocked, or an operation that has ended. */
    RETRY(Annotations.RETRY);

    private final String annotation;

    Kind(String annotation) {
      this.annotation = annotation;
    }

    /** The annotation it is made with. */
    public String annotation() {
      return annotation;
    }
  }

  /** Whether this is what it requests. */
  public boolean is(Kind other) {
    return kind == other;
  }

  /** {@code sluice.dev/retry=again}. */
  public String display() {
    return kind.annotation + "=" + text;
  }
}
