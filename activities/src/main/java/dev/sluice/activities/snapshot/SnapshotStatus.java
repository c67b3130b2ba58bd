package dev.sluice.activities.snapshot;

import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import dev.sluice.workflows.snapshot.SnapshotRecord;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The workflow's part of a snapshot's status. Pure. */
final class SnapshotStatus {

  private SnapshotStatus() {}

  /** The record in a status. */
  static SnapshotRecord record(FlinkStateSnapshotStatus status) {
    return new SnapshotRecord(
        status.stateOrPending(),
        status.failureCount(),
        trigger(status),
        status.path(),
        status.error(),
        millis(status.resultTimestamp()));
  }

  private static @Nullable Trigger trigger(FlinkStateSnapshotStatus status) {
    String id = status.triggerId();
    String jobId = status.jobId();
    // Apache's operator does not record the job: what it has triggered is not followed
    return id == null || id.isBlank() || jobId == null
        ? null
        : new Trigger(id, jobId, Objects.requireNonNullElse(millis(status.triggerTimestamp()), 0L));
  }

  /** The fields that are the workflow's, and no others. */
  static FlinkStateSnapshotStatus of(SnapshotRecord record, @Nullable OperationStatus operation) {
    Trigger trigger = record.trigger();
    return FlinkStateSnapshotStatus.EMPTY
        .withState(record.state())
        .withTriggerId(trigger == null ? null : trigger.id())
        .withTriggerTimestamp(trigger == null ? null : text(trigger.atMs()))
        .withJobId(trigger == null ? null : trigger.jobId())
        .withResultTimestamp(text(record.resultAtMs()))
        .withPath(record.path())
        .withError(record.error())
        .withFailures(record.failures())
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
