package dev.sluice.controller.snapshot;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.validation.Violation;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.status.SeenResource;
import dev.sluice.controller.status.SpecCheck;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A resource that FlinkStateSnapshots of its job are made for, of whatever kind. */
public interface SnapshotOwner extends SeenResource {

  /** The newest spec, checked and compared with the frozen one. */
  SpecCheck<?> check();

  @Override
  default List<Violation> violations() {
    return check().violations();
  }

  @Override
  default List<String> ignored() {
    return check().ignored();
  }

  @Override
  default List<String> changes() {
    return check().changes();
  }

  /** Whether the newest spec differs from the deployed one in ignored fields at most. */
  default boolean sameAsFrozen() {
    return check().sameAsFrozen();
  }

  /** What a {@code jobReference} calls its kind. */
  JobKind jobKind();

  /** The job of the newest spec; null when that has none. */
  @Nullable JobSpec wantedJob();

  /** The job that is, or is being, deployed; null when nothing is, or it has none. */
  @Nullable JobSpec deployedJob();

  /** Whether a job that should run, with no operation at work, is up with every task. */
  boolean isJobUp();

  /** The version of Flink that runs, or is to run; null when that is not known. */
  @Nullable FlinkVersion flinkVersion();

  /** The configuration that the operator itself goes by. */
  FlinkConfiguration operatorConfiguration();

  /** Whether its Flink can be asked for a snapshot of that type. */
  default boolean takes(SnapshotType type) {
    FlinkVersion version = flinkVersion();
    return type == SnapshotType.SAVEPOINT || version == null || version.takesCheckpoints();
  }

  /** Whether only the parallelism of a job that runs is to change. */
  default boolean isRescale() {
    return false;
  }

  /**
   * Whether no job is to run, and no operation is open or about to be: whatever the newest spec.
   */
  default boolean restsSuspended() {
    return isSuspended() && !phase().isOpen() && !phase().inFlight();
  }

  /** The newest, unless it is not valid, or the open operation brings the same spec. */
  @Override
  default long goal() {
    if (!phase().isOpen()) {
      return generation();
    }
    Long frozen = frozenGeneration();
    boolean targetIsFrozen = frozen != null && frozen >= target();
    boolean nothingNew = !violations().isEmpty() || (targetIsFrozen && sameAsFrozen());
    return nothingNew ? target() : Math.max(generation(), target());
  }

  @Override
  default OperationType forward() {
    JobSpec wanted = wantedJob();
    if (wanted != null && wanted.isSuspended()) {
      return OperationType.SUSPEND;
    }
    ReconciliationStatus reconciliation = status().reconciliationStatus();
    boolean begun = ResourcePhase.begun(reconciliation);
    if (begun ? isOpen(OperationType.RESUME) : isSuspended()) {
      return OperationType.RESUME;
    }
    boolean ranBefore =
        frozenGeneration() != null
            && (!begun || (reconciliation != null && reconciliation.lastStableSpec() != null));
    if (!ranBefore) {
      return OperationType.DEPLOY;
    }
    // whatever was begun and is not carried on by its own run is an upgrade
    return !begun && isRescale() ? OperationType.RESCALE : OperationType.UPGRADE;
  }
}
