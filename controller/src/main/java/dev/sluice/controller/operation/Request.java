package dev.sluice.controller.operation;

import dev.sluice.api.Annotations;

/** A request to the operation in flight, made by annotating the resource. */
public sealed interface Request {

  /** The value of the annotation; another value is another request. */
  String text();

  /** The annotation it came from. */
  String annotation();

  /** {@code sluice.dev/retry=again}. */
  default String display() {
    return annotation() + "=" + text();
  }

  /** Call the operation off. */
  record Abort(String text) implements Request {
    @Override
    public String annotation() {
      return Annotations.ABORT;
    }
  }

  /** Go back to an earlier spec; the same as an abort while an operation is open. */
  record Rollback(String text) implements Request {
    @Override
    public String annotation() {
      return Annotations.ROLLBACK;
    }
  }

  /** Try again now: the step that is parked or blocked, or an operation that has ended. */
  record Retry(String text) implements Request {
    @Override
    public String annotation() {
      return Annotations.RETRY;
    }
  }
}
