package dev.sluice.controller.deployment;

import dev.sluice.api.Annotations;

/** Something a person asked of the operation in flight, by annotating the resource. */
public sealed interface Request {

  /** The value of the annotation; another value is another request. */
  String text();

  /** The annotation it came from. */
  String annotation();

  /** Call the operation off. */
  record Abort(String text) implements Request {
    @Override
    public String annotation() {
      return Annotations.ABORT;
    }
  }

  /** Try the step again that it is parked at; or the whole operation again, when it has ended. */
  record Retry(String text) implements Request {
    @Override
    public String annotation() {
      return Annotations.RETRY;
    }
  }
}
