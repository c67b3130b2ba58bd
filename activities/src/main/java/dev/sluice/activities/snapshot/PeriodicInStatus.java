package dev.sluice.activities.snapshot;

import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.resource.JobResource;
import dev.sluice.activities.snapshot.SnapshotSubject.OfStatus;
import dev.sluice.activities.status.ConflictRetry;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.api.snapshot.TriggerType;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks in the status of what runs the job for a periodic snapshot, where it gets no
 * FlinkStateSnapshot. The controller sees it there, and starts its run.
 */
final class PeriodicInStatus {

  private final SnapshotStore snapshots;
  private final Clock clock;

  PeriodicInStatus(SnapshotStore snapshots, Clock clock) {
    this.snapshots = snapshots;
    this.clock = clock;
  }

  /** The status that has the newest one, whoever asked for it. */
  JobResourceStatus read(ResourceRef owner, SnapshotType type) {
    return snapshots.owner(StatusLane.of(owner, type)).status();
  }

  /** Whether it was asked for, by an earlier attempt; something else may have followed it. */
  static boolean isMade(@Nullable StatusSnapshot begun, FlinkStateSnapshot due) {
    return begun != null && due.getMetadata().getName().equals(begun.newestPeriodic());
  }

  /**
   * Asks for it.
   *
   * @param due as it would be made
   * @return the name of the one that is still being taken, and is in the way; empty when there is
   *     none
   */
  Optional<String> make(ResourceRef owner, SnapshotType type, FlinkStateSnapshot due) {
    EffectWindow window = EffectWindow.open(clock);
    return KubernetesFailure.told(
        "write the status of " + owner.display(),
        () ->
            ConflictRetry.then(
                window,
                () -> snapshots.owner(StatusLane.of(owner, type)),
                read -> make(read, type, due)));
  }

  private Optional<String> make(JobResource owner, SnapshotType type, FlinkStateSnapshot due) {
    JobResourceStatus status = owner.status();
    StatusSnapshot before = status.snapshotsOrNone().of(type);
    if (isMade(before, due)) {
      return Optional.empty();
    }
    Optional<StatusSnapshot> wanted = status.wantedSnapshot(status.snapshotTriggers(), type);
    if (wanted.isPresent()) {
      return wanted.map(StatusSnapshot::name);
    }
    OfStatus next =
        new OfStatus(
            owner,
            type,
            new StatusSnapshot(
                due.getMetadata().getName(),
                TriggerType.PERIODIC.name(),
                due.getSpec().formatType(),
                null,
                before == null ? null : before.newestManual(),
                due.getMetadata().getName(),
                before == null ? List.of() : before.doubt(),
                null));
    snapshots.write(
        next, next.snapshot().getStatus().withState(SnapshotState.TRIGGER_PENDING).withFailures(0));
    return Optional.empty();
  }
}
