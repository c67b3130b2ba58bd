package dev.sluice.controller.status;

import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.StatusSnapshots;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of a kind that asks for no snapshots and counts its recoveries elsewhere, in the words
 * that are the same for every kind that has a job.
 */
public interface StatusWithoutSnapshots extends JobResourceStatus {

  @Override
  default @Nullable PendingStop pendingStop() {
    return null;
  }

  @Override
  default @Nullable RecoveryStatus recovery() {
    return null;
  }

  @Override
  default @Nullable SnapshotTriggers snapshotTriggers() {
    return null;
  }

  @Override
  default @Nullable Savepoint takenSavepoint() {
    return null;
  }

  @Override
  default List<Savepoint> earlierSavepoints() {
    return List.of();
  }

  @Override
  default @Nullable StatusSnapshots snapshots() {
    return null;
  }
}
