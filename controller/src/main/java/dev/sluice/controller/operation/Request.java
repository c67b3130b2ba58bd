package dev.sluice.controller.operation;

import dev.sluice.api.Annotations;
import dev.sluice.workflows.operation.LaneSignals;

/**
 * A request to the operation in flight, made by annotating the resource.
 *
 * @param text value of the annotation; another value is another request
 */
public record Request(Kind kind, String text) {

  /** What is requested; the abort first, which makes a retry idle. */
  public enum Kind {
    /** Call the operation off. */
    ABORT(Annotations.ABORT, LaneSignals.ABORT),
    /** Go back to an earlier spec; the same as an abort while an operation is open. */
    ROLLBACK(Annotations.ROLLBACK, LaneSignals.ROLLBACK),
    /** Try again now: the step that is parked or blocked, or an operation that has ended. */
    RETRY(Annotations.RETRY, LaneSignals.RETRY);

    private final String annotation;
    private final String signal;

    Kind(String annotation, String signal) {
      this.annotation = annotation;
      this.signal = signal;
    }

    /** The annotation it is made with. */
    public String annotation() {
      return annotation;
    }

    /** The signal that hands it to a run. */
    public String signal() {
      return signal;
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
