package dev.sluice.activities.snapshot;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.OperationReport;
import org.jspecify.annotations.Nullable;

/**
 * An event of a lane without a resource. It is on what runs the job, so it must not read like one
 * of the operation there, whose annotations do not reach this lane. Pure.
 *
 * @param reason of the event
 * @param message names the snapshot
 */
record LaneEvent(String reason, String message) {

  /**
   * What a report tells; null when it is no event.
   *
   * @param name of the snapshot; null when it is not known, or the message of a removal names it
   */
  static @Nullable LaneEvent of(OperationReport report, SnapshotType type, @Nullable String name) {
    String event = report.event();
    if (event == null) {
      return null;
    }
    boolean removes = OperationType.DELETE.wire().equals(report.run().operation());
    if (!isHeld(report)) {
      return new LaneEvent(event, removes ? report.message() : named(report, type, name));
    }
    String what =
        removes
            ? "removal from the %s history: %s".formatted(type.word(), report.message())
            : named(report, type, name);
    String requests = removes ? "`retry`" : "`retry` or `abort`";
    return new LaneEvent(
        EventReasons.SNAPSHOT_ERROR,
        "%s. Retried automatically. By hand: send signal %s to workflow %s"
            .formatted(what, requests, report.run().workflowId()));
  }

  private static String named(OperationReport report, SnapshotType type, @Nullable String name) {
    return name == null
        ? "%s: %s".formatted(type.word(), report.message())
        : "%s %s: %s".formatted(type.word(), name, report.message());
  }

  private static boolean isHeld(OperationReport report) {
    return report.state() == OperationState.BLOCKED || report.state() == OperationState.PARKED;
  }
}
