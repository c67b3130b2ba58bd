package dev.sluice.activities.snapshot;

import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.model.Observation;
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

  /** The operation at work on it, in words; empty when there is none. */
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

  /** Whether the newest operation on it, open or not, brings a lost job back. */
  boolean isOfRecovery() {
    OperationStatus operation = resource.status().operation();
    return operation != null && operation.type() == OperationType.RECOVER;
  }

  /** What is deployed; empty when nothing ever was. */
  Optional<Observation.Target> deployed() {
    return Optional.ofNullable(resource.observed().frozen());
  }

  /** Whether no job runs because its spec says so, and no operation is at work. */
  boolean isSuspended() {
    return operation().isEmpty() && deployed().filter(Observation.Target::suspended).isPresent();
  }

  /** The version that runs; null when that is not known. */
  @Nullable FlinkVersion version() {
    return deployed().map(Observation.Target::flinkVersion).orElse(null);
  }
}
