package dev.sluice.activities.flink;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.workflows.model.JobObservation.Retention;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

/** Reads checkpoint statistics. */
final class CheckpointAnswers {

  /** What Flink writes in place of a path when a checkpoint has none. */
  private static final String NO_PATH = "<checkpoint-not-externally-addressable>";

  /** Flink's word for one after which the job goes on; its other is {@code SYNC_SAVEPOINT}. */
  private static final String SAVEPOINT = "SAVEPOINT";

  private CheckpointAnswers() {}

  static Checkpoints checkpoints(FlinkJson answer) {
    FlinkJson counts = answer.object("counts");
    FlinkJson latest = answer.object("latest");
    return new Checkpoints(
        new Checkpoints.Counts(
            counts.number("completed"), counts.number("failed"), counts.number("restored")),
        latest.optionalObject("completed").map(CheckpointAnswers::completed),
        latest.optionalObject("savepoint").map(CheckpointAnswers::completed),
        latest.optionalObject("restored").map(CheckpointAnswers::restored),
        inProgress(answer, it -> !it.path("is_savepoint").asBoolean()),
        inProgress(answer, it -> it.path("checkpoint_type").asText().equals(SAVEPOINT)));
  }

  private static Optional<Instant> inProgress(FlinkJson answer, Predicate<JsonNode> kind) {
    return StreamSupport.stream(answer.node().path("history").spliterator(), false)
        .filter(it -> it.path("status").asText().equals("IN_PROGRESS"))
        .filter(kind)
        .map(it -> Instant.ofEpochMilli(it.path("trigger_timestamp").asLong()))
        .max(Comparator.naturalOrder());
  }

  static CheckpointProgress progress(FlinkJson answer) {
    Optional<FlinkJson> completed = answer.object("latest").optionalObject("completed");
    long newest = completed.map(it -> it.number("id")).orElse(-1L);
    List<Checkpoints.Failed> failed =
        StreamSupport.stream(answer.node().path("history").spliterator(), false)
            .filter(it -> it.path("status").asText().equals("FAILED"))
            .map(it -> failed(new FlinkJson(it)))
            .filter(it -> !it.savepoint() && it.id() > newest)
            .sorted(Comparator.comparingLong(Checkpoints.Failed::id))
            .toList();
    return new CheckpointProgress(
        completed
            .map(it -> it.node().path("state_size"))
            .filter(JsonNode::isIntegralNumber)
            .map(size -> OptionalLong.of(size.longValue()))
            .orElseGet(OptionalLong::empty),
        completed.map(it -> it.instant("trigger_timestamp")),
        failed.stream().map(Checkpoints.Failed::triggeredAt).toList(),
        failed.isEmpty() ? Optional.empty() : Optional.of(failed.get(failed.size() - 1).message()),
        answer
            .object("latest")
            .optionalObject("restored")
            .map(CheckpointAnswers::restored)
            .flatMap(Checkpoints.Restored::externalPath));
  }

  /** Flink's own default of {@code execution.checkpointing.timeout} when it does not say. */
  private static final long DEFAULT_TIMEOUT_MS = 600_000;

  static CheckpointSettings settings(FlinkJson answer) {
    long timeout = answer.node().path("timeout").asLong(DEFAULT_TIMEOUT_MS);
    return new CheckpointSettings(
        retention(answer),
        Duration.ofMillis(timeout > 0 ? timeout : DEFAULT_TIMEOUT_MS),
        interval(answer));
  }

  /**
   * Flink says the longest time that there is when it takes none by itself. A longer pause between
   * two of them takes the place of the interval.
   */
  private static Optional<Duration> interval(FlinkJson answer) {
    long set = answer.node().path("interval").asLong(Long.MAX_VALUE);
    long interval = set <= 0 ? set : Math.max(set, answer.node().path("min_pause").asLong(0));
    return interval <= 0 || interval == Long.MAX_VALUE
        ? Optional.empty()
        : Optional.of(Duration.ofMillis(interval));
  }

  private static Retention retention(FlinkJson answer) {
    return answer
        .optionalObject("externalization")
        .map(
            kept ->
                kept.flag("enabled") && !kept.flag("delete_on_cancellation")
                    ? Retention.RETAINED
                    : Retention.DELETED)
        .orElse(Retention.UNKNOWN);
  }

  private static Checkpoints.Completed completed(FlinkJson it) {
    return new Checkpoints.Completed(
        it.number("id"),
        kind(it),
        it.optionalText("external_path").filter(Predicate.not(NO_PATH::equals)),
        it.flag("discarded"),
        it.instant("trigger_timestamp"),
        completedAt(it));
  }

  /** Flink says -1 where no task has acknowledged it. */
  private static Optional<Instant> completedAt(FlinkJson it) {
    Instant triggered = it.instant("trigger_timestamp");
    return Optional.of(it.node().path("latest_ack_timestamp"))
        .filter(JsonNode::isIntegralNumber)
        .map(at -> Instant.ofEpochMilli(at.longValue()))
        .filter(at -> !at.isBefore(triggered));
  }

  /** One of the history; empty as long as it is not completed. */
  static Optional<Checkpoints.Completed> ifCompleted(FlinkJson it) {
    return it.optionalText("status").filter("COMPLETED"::equals).map(status -> completed(it));
  }

  private static Checkpoints.Kind kind(FlinkJson it) {
    if (!it.flag("is_savepoint")) {
      return Checkpoints.Kind.CHECKPOINT;
    }
    // a Flink that does not say leaves the careful answer: its path is worth something
    return it.optionalText("checkpoint_type").orElse("").equals(SAVEPOINT)
        ? Checkpoints.Kind.SAVEPOINT
        : Checkpoints.Kind.STOP_SAVEPOINT;
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
