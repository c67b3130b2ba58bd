package dev.sluice.activities.flink;

import java.util.function.Function;

/**
 * Reads what became of asynchronous operations: {@code {"status": {"id": "IN_PROGRESS"}}}, or
 * COMPLETED with an operation that holds a result or the reason why there is none. The same reason
 * is called {@code failure-cause} by savepoints, stops and disposals and {@code failureCause} by
 * checkpoints.
 */
final class OperationAnswers {

  private OperationAnswers() {}

  static SavepointOperation savepoint(FlinkJson answer) {
    return read(
        answer,
        new SavepointOperation.InProgress(),
        SavepointOperation.Failed::new,
        it -> new SavepointOperation.Completed(it.text("location")));
  }

  static CheckpointOperation checkpoint(FlinkJson answer) {
    return read(
        answer,
        new CheckpointOperation.InProgress(),
        CheckpointOperation.Failed::new,
        it -> new CheckpointOperation.Completed(it.number("checkpointId")));
  }

  static DisposalOperation disposal(FlinkJson answer) {
    return read(
        answer,
        new DisposalOperation.InProgress(),
        DisposalOperation.Failed::new,
        it -> new DisposalOperation.Completed());
  }

  private static <T> T read(
      FlinkJson answer,
      T inProgress,
      Function<FlinkCause, T> failed,
      Function<FlinkJson, T> completed) {
    if (!answer.object("status").text("id").equals("COMPLETED")) {
      return inProgress;
    }
    FlinkJson operation = answer.object("operation");
    return operation
        .optionalObject("failure-cause")
        .or(() -> operation.optionalObject("failureCause"))
        .map(cause -> failed.apply(StackTrace.shorten(cause.text("stack-trace"))))
        .orElseGet(() -> completed.apply(operation));
  }

  /** The id in the answer to a trigger. */
  static Triggered triggered(FlinkJson answer) {
    return new Triggered(answer.text("request-id"));
  }
}
