package dev.sluice.activities.flink;

import java.util.function.Predicate;

/** Reads checkpoint statistics. */
final class CheckpointAnswers {

  /** What Flink writes in place of a path when a checkpoint has none. */
  private static final String NO_PATH = "<checkpoint-not-externally-addressable>";

  private CheckpointAnswers() {}

  static Checkpoints checkpoints(FlinkJson answer) {
    FlinkJson counts = answer.object("counts");
    FlinkJson latest = answer.object("latest");
    return new Checkpoints(
        new Checkpoints.Counts(
            counts.number("total"),
            counts.number("in_progress"),
            counts.number("completed"),
            counts.number("failed"),
            counts.number("restored")),
        latest.optionalObject("completed").map(CheckpointAnswers::completed),
        latest.optionalObject("savepoint").map(CheckpointAnswers::completed),
        latest.optionalObject("failed").map(CheckpointAnswers::failed),
        latest.optionalObject("restored").map(CheckpointAnswers::restored));
  }

  private static Checkpoints.Completed completed(FlinkJson it) {
    return new Checkpoints.Completed(
        it.number("id"),
        it.flag("is_savepoint"),
        it.optionalText("external_path").filter(Predicate.not(NO_PATH::equals)),
        it.flag("discarded"),
        it.instant("trigger_timestamp"));
  }

  private static Checkpoints.Failed failed(FlinkJson it) {
    return new Checkpoints.Failed(
        it.number("id"),
        it.flag("is_savepoint"),
        it.optionalText("failure_message")
            .map(StackTrace::shorten)
            .map(cause -> cause.type().equals("Error") ? cause.message() : cause.summary())
            .orElse("no reason given"),
        it.instant("trigger_timestamp"));
  }

  private static Checkpoints.Restored restored(FlinkJson it) {
    return new Checkpoints.Restored(
        it.number("id"),
        it.flag("is_savepoint"),
        it.optionalText("external_path").filter(Predicate.not(NO_PATH::equals)),
        it.instant("restore_timestamp"));
  }
}
