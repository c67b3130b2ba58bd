package dev.sluice.workflows.procedure;

import dev.sluice.api.common.OperationState;
import org.jspecify.annotations.Nullable;

/**
 * How an operation says that it has reached its target.
 *
 * @param state what {@code status.operation.state} says
 * @param givenUpFor why a newer spec was given up for it; null when none was, or it is not known
 */
record Ending(OperationState state, @Nullable String givenUpFor) {

  /** The newest spec was reached. */
  static final Ending SUCCEEDED = new Ending(OperationState.SUCCEEDED, null);

  /** Suffix of the last message. */
  String because() {
    return givenUpFor == null ? "" : ". The newer spec was given up: " + givenUpFor;
  }
}
