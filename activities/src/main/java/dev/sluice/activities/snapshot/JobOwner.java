package dev.sluice.activities.snapshot;

import dev.sluice.activities.job.RestoredPath;
import dev.sluice.activities.kubernetes.MadeFor;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.RecordedState;
import dev.sluice.workflows.model.Observation;
import io.fabric8.kubernetes.api.model.apps.Deployment;
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
    return display(kind, resource);
  }

  /** The same of one whose cluster has not been read. */
  static String display(String kind, StoredResource resource) {
    return "%s %s/%s"
        .formatted(kind, resource.metadata().getNamespace(), resource.metadata().getName());
  }

  /** Where its job runs. */
  JobSite site() {
    return JobSite.of(resource);
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

  /**
   * Whether nothing but its status, and a note on its cluster, has to be asked for what its last
   * job left.
   *
   * @param jobManager Deployment of its cluster; null when there is none
   */
  boolean tellsWhatIsLeft(@Nullable Deployment jobManager) {
    return isDeleting() || site().tellsWhatIsLeft(resource, jobManager);
  }

  /**
   * Whether its job has ended and left that, by the note on its cluster: no status tells it.
   *
   * @param jobManager Deployment of its cluster; null when there is none
   */
  boolean goesOnFrom(String path, @Nullable Deployment jobManager) {
    return jobManager != null
        && !isDeleting()
        && RestoredPath.haveSameName(path, MadeFor.finishedState(jobManager));
  }

  /** Whether its next job will start from that path, or the one that runs may start again. */
  boolean needs(String path) {
    Observation.Target newest = resource.newest().target();
    RecordedState recorded = resource.status().recorded();
    RecordedState.Left left = recorded == null ? null : recorded.leftByStable();
    return RestoredPath.haveSameName(path, resource.status().upgradeSavepointPath())
        || RestoredPath.haveSameName(path, newest.initialSavepointPath())
        || (recorded != null && RestoredPath.haveSameName(path, recorded.path()))
        || (left != null && RestoredPath.haveSameName(path, left.path()));
  }
}
