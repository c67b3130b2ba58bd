package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.SessionDeletion;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotResources;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StateDirectories;
import java.util.List;

/** Keys of the Flink configuration that rules look at, with their older spellings. */
final class ConfigKeys {
  static final String ROLLBACK = "kubernetes.operator.deployment.rollback.enabled";
  static final String HEALTH_CHECK = "kubernetes.operator.cluster.health-check.enabled";
  static final String RESTARTS_WINDOW = "kubernetes.operator.cluster.health-check.restarts.window";
  static final String RESTARTS_THRESHOLD =
      "kubernetes.operator.cluster.health-check.restarts.threshold";
  static final String CHECKPOINT_PROGRESS =
      "kubernetes.operator.cluster.health-check.checkpoint-progress.enabled";
  static final String CHECKPOINT_WINDOW =
      "kubernetes.operator.cluster.health-check.checkpoint-progress.window";
  static final String SHUTDOWN_TTL = "kubernetes.operator.jm-deployment.shutdown-ttl";
  static final String JM_RECOVERY = "kubernetes.operator.jm-deployment-recovery.enabled";
  static final String RESTART_FAILED = "kubernetes.operator.job.restart.failed";
  static final String BLOCK_ON_UNMANAGED = SessionDeletion.BLOCK_ON_UNMANAGED_JOBS;
  static final String BLOCK_ON_SESSION_JOBS = SessionDeletion.BLOCK_ON_SESSION_JOBS;
  static final String SAVEPOINT_ON_DELETION = "kubernetes.operator.job.savepoint-on-deletion";
  static final String DRAIN_ON_DELETION = "kubernetes.operator.job.drain-on-savepoint-deletion";
  static final String PERIODIC_SAVEPOINT = SnapshotInterval.key(SnapshotType.SAVEPOINT);
  static final String PERIODIC_CHECKPOINT = SnapshotInterval.key(SnapshotType.CHECKPOINT);
  static final String SAVEPOINT_CLEANUP = "kubernetes.operator.savepoint.cleanup.enabled";
  static final String HISTORY_COUNT = "kubernetes.operator.savepoint.history.max.count";
  static final String HISTORY_AGE = "kubernetes.operator.savepoint.history.max.age";
  static final String DISPOSE_SAVEPOINTS = "kubernetes.operator.savepoint.dispose-on-delete";
  static final String SNAPSHOT_RESOURCES = SnapshotResources.KEY;
  static final String MAX_CHECKPOINT_AGE =
      "kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age";

  static final String LAST_STATE_FALLBACK =
      "kubernetes.operator.job.upgrade.last-state-fallback.enabled";

  static final String LAST_STATE_CANCEL =
      "kubernetes.operator.job.upgrade.last-state.job-cancel.enabled";
  static final String IGNORE_PENDING_SAVEPOINT =
      "kubernetes.operator.job.upgrade.ignore-pending-savepoint";

  static final String STARTUP_PROBE = "kubernetes.operator.jm-deployment.startup.probe.enabled";
  static final String MERGE_BY_NAME = "kubernetes.operator.pod-template.merge-arrays-by-name";

  /** Headers for the server of a jar; of a FlinkSessionJob only. */
  static final String ARTIFACT_HEADERS = "kubernetes.operator.user.artifacts.http.header";

  static final String REST_TLS = "security.ssl.rest.enabled";

  /** TLS everywhere, where nothing more special is said; gone in Flink 2. */
  static final String ALL_TLS = "security.ssl.enabled";

  /** As most manifests spell it; {@link StateDirectories} has all that Flink reads. */
  static final String CHECKPOINT_DIR = "state.checkpoints.dir";

  /** As most manifests spell it; {@link StateDirectories} has all that Flink reads. */
  static final String SAVEPOINT_DIR = "state.savepoints.dir";

  /**
   * Whether each job writes its checkpoints to a folder of its own; on unless it says otherwise.
   */
  static final List<String> CHECKPOINT_SUBDIR =
      List.of("execution.checkpointing.create-subdir", "state.checkpoints.create-subdir");

  private ConfigKeys() {}

  static boolean hasCheckpointDir(FlinkConfiguration configuration) {
    return StateDirectories.checkpoints(configuration).isPresent();
  }

  static boolean hasSavepointDir(FlinkConfiguration configuration) {
    return StateDirectories.savepoints(configuration).isPresent();
  }
}
