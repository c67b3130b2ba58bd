package dev.sluice.activities.snapshot;

import dev.sluice.api.common.EarlierTrigger;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import dev.sluice.workflows.snapshot.SnapshotRecord;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The workflow's part of a snapshot's status, as it is recorded. Pure. */
final class SnapshotStatus {

  private SnapshotStatus() {}

  /** What a status says. */
  static SnapshotRecord record(FlinkStateSnapshotStatus status) {
    return new SnapshotRecord(
        status.stateOrPending(),
        status.failureCount(),
        trigger(status.triggerId(), status.jobId(), status.triggerTimestamp()),
        status.path(),
        status.error(),
        millis(status.resultTimestamp()),
        Boolean.TRUE.equals(status.inDoubt()),
        status.earlier().stream()
            .flatMap(
                it -> Stream.ofNullable(trigger(it.triggerId(), it.jobId(), it.triggerTimestamp())))
            .toList());
  }

  private static @Nullable Trigger trigger(
      @Nullable String id, @Nullable String jobId, @Nullable String timestamp) {
    return id == null || id.isBlank()
        ? null
        : new Trigger(
            id,
            // Apache's operator does not say it
            Objects.requireNonNullElse(jobId, ""),
            Objects.requireNonNullElse(millis(timestamp), 0L));
  }

  /** The fields that are the workflow's, and no others. */
  static FlinkStateSnapshotStatus of(SnapshotRecord record, @Nullable OperationStatus operation) {
    Trigger trigger = record.trigger();
    return FlinkStateSnapshotStatus.EMPTY
        .withState(record.state())
        .withTriggerId(trigger == null ? null : trigger.id())
        .withTriggerTimestamp(trigger == null ? null : text(trigger.atMs()))
        .withJobId(trigger == null ? null : trigger.jobId())
        .withResultTimestamp(text(record.endedAtMs()))
        .withPath(record.path())
        .withError(record.error())
        .withFailures(record.failures())
        .withInDoubt(record.inDoubt() ? true : null)
        .withEarlier(
            record.earlier().stream()
                .map(it -> new EarlierTrigger(null, it.id(), text(it.atMs()), it.jobId()))
                .toList())
        .withOperation(operation);
  }

  private static @Nullable String text(@Nullable Long ms) {
    return ms == null ? null : Instant.ofEpochMilli(ms).toString();
  }

  static @Nullable Long millis(@Nullable String text) {
    try {
      return text == null ? null : Instant.parse(text).toEpochMilli();
    } catch (DateTimeParseException writtenByHand) {
      return null;
    }
  }
}
