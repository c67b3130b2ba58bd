package dev.sluice.activities.snapshot;

import dev.sluice.activities.job.RestoredPath;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The resource that runs the job of a snapshot.
 *
 * @param kind of it
 * @param resource as it was read
 * @param cluster that runs now
 */
record JobOwner(String kind, StoredResource resource, RunningCluster cluster) {

  /** {@code FlinkDeployment default/orders}. */
  String display() {
    return kind + " " + cluster.ref().display();
  }

  boolean isDeleting() {
    return resource.metadata().getDeletionTimestamp() != null;
  }

  /** What is at work on it, in words; empty when nothing is. */
  Optional<String> operation() {
    OperationStatus operation = resource.status().operation();
    boolean open = operation != null && operation.isOpen();
    return open || resource.observed().isBegun()
        ? Optional.of(
            operation == null || operation.type() == null
                ? "an operation"
                : operation.type().wire())
        : Optional.empty();
  }

  /** Whether the newest operation on it, open or not, is one that brings a lost job back. */
  boolean isOfRecovery() {
    OperationStatus operation = resource.status().operation();
    return operation != null && operation.type() == OperationType.RECOVER;
  }

  /** What is deployed; empty when nothing ever was. */
  Optional<Observation.Target> deployed() {
    return Optional.ofNullable(resource.observed().frozen());
  }

  /** The version that runs; null when that is not known. */
  @Nullable FlinkVersion version() {
    return deployed().map(Observation.Target::flinkVersion).orElse(null);
  }

  /** Whether its next job will start from that path. */
  boolean needs(String path) {
    Observation.Target newest = resource.newest().target();
    RestorePoint recorded = resource.status().restorePoint();
    return RestoredPath.haveSameName(path, resource.status().upgradeSavepointPath())
        || RestoredPath.haveSameName(path, newest.initialSavepointPath())
        || (recorded != null
            && (RestoredPath.haveSameName(path, path(recorded.state()))
                || RestoredPath.haveSameName(path, path(recorded.stableState()))));
  }

  private static @Nullable String path(@Nullable StateRef state) {
    return state == null ? null : state.pathOrNull();
  }
}
