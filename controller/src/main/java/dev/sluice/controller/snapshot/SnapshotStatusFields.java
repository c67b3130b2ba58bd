package dev.sluice.controller.snapshot;

import dev.sluice.api.common.BoundedText;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.controller.common.ConditionHistory;
import dev.sluice.controller.common.ConditionStatus;
import dev.sluice.controller.common.ControllerStatus;
import java.time.Clock;
import java.util.List;

/** Which fields of a snapshot's status are the controller's, and what they are to say. */
final class SnapshotStatusFields
    implements ControllerStatus<FlinkStateSnapshot, FlinkStateSnapshotStatus> {

  private static final int LONGEST = 1024;

  private final Clock clock;

  SnapshotStatusFields(Clock clock) {
    this.clock = clock;
  }

  /** What is true now. */
  FlinkStateSnapshotStatus project(SeenSnapshot seen) {
    ConditionHistory history =
        ConditionHistory.of(seen.status()::condition, seen.generation(), clock.instant());
    return FlinkStateSnapshotStatus.EMPTY
        .withObservedGeneration(seen.generation())
        .withRequests(seen.requests().handled())
        .withConditions(SnapshotConditions.of(seen, history));
  }

  @Override
  public FlinkStateSnapshotStatus owned(FlinkStateSnapshot resource) {
    FlinkStateSnapshotStatus status = resource.getStatus();
    return FlinkStateSnapshotStatus.EMPTY
        .withObservedGeneration(status.observedGeneration())
        .withRequests(status.requests())
        .withConditions(status.conditions());
  }

  /** Nothing of it follows a job by itself. */
  @Override
  public FlinkStateSnapshotStatus withoutLive(FlinkStateSnapshotStatus status) {
    return status;
  }

  @Override
  public FlinkStateSnapshotStatus withoutTimes(FlinkStateSnapshotStatus status) {
    return status.withConditions(ConditionHistory.withoutTimes(status.conditions()));
  }

  @Override
  public FlinkStateSnapshotStatus minimal(
      FlinkStateSnapshot resource, FlinkStateSnapshotStatus refused, String why) {
    Long generation = refused.observedGeneration();
    ConditionHistory history =
        ConditionHistory.of(
            resource.getStatus()::condition, generation == null ? 0 : generation, clock.instant());
    return FlinkStateSnapshotStatus.EMPTY
        .withObservedGeneration(generation)
        .withRequests(refused.requests())
        .withConditions(
            List.of(
                history.condition(
                    ConditionTypes.READY,
                    ConditionStatus.FALSE,
                    Reasons.STATUS_REFUSED,
                    "The API server refuses the status of this resource: "
                        + BoundedText.of(why, LONGEST))));
  }
}
