package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.UpgradeMode;

/** A job that keeps its state needs directories for checkpoints and savepoints. */
final class StateDirectoryRules implements Rule {
  private static final String NEEDS_DIRECTORY =
      " needs a directory for savepoints. Set spec.flinkConfiguration." + ConfigKeys.SAVEPOINT_DIR;

  @Override
  public void check(Subject subject, Report report) {
    JobSpec job = subject.spec().job();
    if (job == null) {
      return;
    }
    FlinkConfiguration configuration = subject.configuration();
    if (job.upgradeMode() != UpgradeMode.STATELESS && !ConfigKeys.hasCheckpointDir(configuration)) {
      report.add(
          Subject.keyPath(ConfigKeys.CHECKPOINT_DIR),
          "must be given for upgradeMode " + job.upgradeMode() + ". Set it to durable storage");
    }
    if (ConfigKeys.hasSavepointDir(configuration)) {
      return;
    }
    if (job.upgradeMode() == UpgradeMode.SAVEPOINT) {
      report.add(
          Subject.keyPath(ConfigKeys.SAVEPOINT_DIR),
          "must be given for upgradeMode savepoint. Set it to durable storage");
    }
    if (job.savepointTriggerNonce() != null) {
      report.add("spec.job.savepointTriggerNonce", "a savepoint" + NEEDS_DIRECTORY);
    }
    if (takesPeriodicSavepoints(configuration)) {
      report.add(
          Subject.keyPath(ConfigKeys.PERIODIC_SAVEPOINT), "a periodic savepoint" + NEEDS_DIRECTORY);
    }
    if (configuration.has(ConfigKeys.MAX_CHECKPOINT_AGE)) {
      report.add(
          Subject.keyPath(ConfigKeys.MAX_CHECKPOINT_AGE),
          "a savepoint in place of an old checkpoint" + NEEDS_DIRECTORY);
    }
  }

  private static boolean takesPeriodicSavepoints(FlinkConfiguration configuration) {
    try {
      return SnapshotInterval.of(configuration, SnapshotType.SAVEPOINT).isPresent();
    } catch (IllegalArgumentException unreadable) {
      return false; // refused where keys with a type are read
    }
  }
}
