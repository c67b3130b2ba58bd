package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StateDirectories;
import dev.sluice.api.common.UpgradeMode;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Where the state of a job is kept. A job that keeps its state needs directories, and high
 * availability must be of a kind that Sluice can look into and that this Flink version reads: it
 * decides whether a restarted JobManager finds its job's newest checkpoint.
 */
final class StateRules {
  /** As most manifests spell it; {@link StateDirectories} has all that Flink reads. */
  static final String SAVEPOINT_DIR = "state.savepoints.dir";

  private static final String CHECKPOINT_DIR = "state.checkpoints.dir";

  /** Whether each job writes its checkpoints to a folder of its own. */
  private static final List<String> CHECKPOINT_SUBDIR =
      List.of("execution.checkpointing.create-subdir", "state.checkpoints.create-subdir");

  private static final String NEEDS_DIRECTORY =
      " needs a directory for savepoints. Set spec.flinkConfiguration." + SAVEPOINT_DIR;
  private static final String MAX_CHECKPOINT_AGE =
      "kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age";
  private static final String OLD_KEY = "high-availability";
  private static final List<String> STORAGE =
      List.of(
          "high-availability.storageDir",
          "high-availability.zookeeper.storageDir",
          "recovery.zookeeper.storageDir");

  private StateRules() {}

  static void check(Subject subject, Report report) {
    FlinkConfiguration configuration = subject.configuration();
    JobSpec job = subject.spec().job();
    if (job != null) {
      checkDirectories(job, configuration, report);
    }
    checkCheckpointFolders(configuration, Subject::keyPath, report);
    HighAvailabilityMode.key(configuration)
        .ifPresent(
            key -> checkAvailability(configuration, key, subject.spec().flinkVersion(), report));
  }

  static void checkDirectories(JobSpec job, FlinkConfiguration configuration, Report report) {
    if (job.upgradeMode() != UpgradeMode.STATELESS
        && StateDirectories.checkpoints(configuration).isEmpty()) {
      report.addKey(
          CHECKPOINT_DIR,
          "must be given for upgradeMode " + job.upgradeMode() + ". Set it to durable storage");
    }
    if (StateDirectories.savepoints(configuration).isPresent()) {
      return;
    }
    if (job.upgradeMode() == UpgradeMode.SAVEPOINT) {
      report.addKey(
          SAVEPOINT_DIR, "must be given for upgradeMode savepoint. Set it to durable storage");
    }
    if (job.savepointTriggerNonce() != null) {
      report.add("spec.job.savepointTriggerNonce", "a savepoint" + NEEDS_DIRECTORY);
    }
    if (takesPeriodicSavepoints(configuration)) {
      report.addKey(
          SnapshotInterval.key(SnapshotType.SAVEPOINT), "a periodic savepoint" + NEEDS_DIRECTORY);
    }
    if (configuration.has(MAX_CHECKPOINT_AGE)) {
      report.addKey(
          MAX_CHECKPOINT_AGE, "a savepoint in place of an old checkpoint" + NEEDS_DIRECTORY);
    }
  }

  private static boolean takesPeriodicSavepoints(FlinkConfiguration configuration) {
    // what cannot be read is refused where keys with a type are read
    return FlinkConfiguration.readable(
            () -> SnapshotInterval.of(configuration, SnapshotType.SAVEPOINT))
        .isPresent();
  }

  /** The folder tells whose checkpoint it is, and so whether a job has progressed. */
  static void checkCheckpointFolders(
      FlinkConfiguration configuration, UnaryOperator<String> path, Report report) {
    for (String key : CHECKPOINT_SUBDIR) {
      if (!configuration.isOn(key, true)) {
        report.notSupported(
            path.apply(key),
            "false is not supported: Sluice tells by the folder which job wrote a checkpoint."
                + " Remove the key");
      }
    }
  }

  private static void checkAvailability(
      FlinkConfiguration configuration, String key, @Nullable FlinkVersion version, Report report) {
    String value = configuration.getOrDefault(key, "").trim();
    switch (HighAvailabilityMode.of(configuration)) {
      case NONE -> {}
      case OTHER ->
          report.notSupported(
              Subject.keyPath(key),
              "must be kubernetes or none, but is "
                  + Printable.quoted(value)
                  + ": other high availability is not supported yet. Set it to kubernetes, and"
                  + " high-availability.storageDir to durable storage");
      case KUBERNETES -> {
        checkVersion(key, value, version, report);
        if (STORAGE.stream().noneMatch(configuration::has)) {
          report.addKey(
              STORAGE.get(0), "must be given for high availability. Set it to durable storage");
        }
      }
    }
  }

  /** What an older Flink ignores leaves it without high availability. */
  private static void checkVersion(
      String key, String value, @Nullable FlinkVersion version, Report report) {
    if (version == null) {
      return;
    }
    if (key.equals(HighAvailabilityMode.KEY) && !version.isAtLeast(FlinkVersion.V1_17)) {
      report.addKey(key, "is ignored by Flink before 1.17. Use the key " + OLD_KEY + " instead");
    } else if (!version.isAtLeast(FlinkVersion.V1_16)
        && !value.equals(HighAvailabilityMode.KUBERNETES_FACTORY)) {
      report.addKey(
          key,
          "must be "
              + HighAvailabilityMode.KUBERNETES_FACTORY
              + " for Flink before 1.16, but is "
              + Printable.quoted(value));
    }
  }
}
