package dev.sluice.controller.snapshot;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.controller.status.SeenResource;
import org.jspecify.annotations.Nullable;

/** A resource that FlinkStateSnapshots of its job are made for, of whatever kind. */
public interface SnapshotOwner extends SeenResource {

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
}
