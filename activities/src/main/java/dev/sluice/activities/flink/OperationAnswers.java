package dev.sluice.activities.flink;

import java.util.Optional;

/**
 * Reads what became of asynchronous operations: {@code {"status": {"id": "IN_PROGRESS"}}}, or
 * COMPLETED with an operation that holds a result or the reason why there is none. The same reason
 * is called {@code failure-cause} by savepoints, stops and disposals and {@code failureCause} by
 * checkpoints.
 */
final class OperationAnswers {

  private static final String COMPLETED = "COMPLETED";

  private OperationAnswers() {}

  static SavepointOperation savepoint(FlinkJson answer) {
    if (!completed(answer)) {
      return new SavepointOperation.InProgress();
    }
    FlinkJson operation = answer.object("operation");
    return failure(operation)
        .<SavepointOperation>map(SavepointOperation.Failed::new)
        .orElseGet(() -> new SavepointOperation.Completed(operation.text("location")));
  }

  static CheckpointOperation checkpoint(FlinkJson answer) {
    if (!completed(answer)) {
      return new CheckpointOperation.InProgress();
    }
    FlinkJson operation = answer.object("operation");
    return failure(operation)
        .<CheckpointOperation>map(CheckpointOperation.Failed::new)
        .orElseGet(() -> new CheckpointOperation.Completed(operation.number("checkpointId")));
  }

  static DisposalOperation disposal(FlinkJson answer) {
    if (!completed(answer)) {
      return new DisposalOperation.InProgress();
    }
    return failure(answer.object("operation"))
        .<DisposalOperation>map(DisposalOperation.Failed::new)
        .orElseGet(DisposalOperation.Completed::new);
  }

  /** The id in the answer to a trigger. */
  static Triggered triggered(FlinkJson answer) {
    return new Triggered(answer.text("request-id"));
  }

  private static boolean completed(FlinkJson answer) {
    return answer.object("status").text("id").equals(COMPLETED);
  }

  private static Optional<FlinkCause> failure(FlinkJson operation) {
    return operation
        .optionalObject("failure-cause")
        .or(() -> operation.optionalObject("failureCause"))
        .map(cause -> StackTrace.shorten(cause.text("stack-trace")));
  }
}
