package dev.sluice.api.validation;

import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FrozenSpec;

/** {@code spec.flinkVersion}. */
final class VersionRules implements Rule {
  private static final String PATH = "spec.flinkVersion";

  @Override
  public void check(Subject subject, Report report) {
    FlinkVersion version = subject.spec().flinkVersion();
    if (version == null) {
      report.add(
          PATH, "must be given. Set it to the Flink version in the image, for example v1_20");
      return;
    }
    if (!version.isSupported()) {
      report.add(PATH, "must be v1_15 or later, but is " + version + ". Use a later Flink version");
    }
    checkChangeWhileSuspended(subject, version, report);
    checkCheckpointType(subject, version, report);
  }

  /** What Flink would refuse each time is refused before the first. */
  private static void checkCheckpointType(Subject subject, FlinkVersion version, Report report) {
    CheckpointType type = CheckpointType.of(subject.configuration());
    if (!version.takesCheckpoints() || type.isTakenBy(version)) {
      return;
    }
    JobSpec job = subject.spec().job();
    boolean asked =
        subject.configuration().has(ConfigKeys.PERIODIC_CHECKPOINT)
            || (job != null && job.checkpointTriggerNonce() != null);
    String why =
        "Flink %s cannot be asked for an incremental checkpoint (FLINK-33723). Set FULL or"
                .formatted(version.dotted())
            + " CONFIGURED, with which the job's own configuration decides";
    if (asked) {
      report.add(Subject.keyPath(CheckpointType.KEY), "must not be INCREMENTAL: " + why);
    } else {
      report.warn(Subject.keyPath(CheckpointType.KEY), "will be refused where it is used: " + why);
    }
  }

  /** One Flink version cannot read the HA metadata of another. */
  private static void checkChangeWhileSuspended(
      Subject subject, FlinkVersion version, Report report) {
    FrozenSpec last = subject.last();
    JobSpec job = subject.spec().job();
    if (last == null || job == null || job.upgradeMode() == UpgradeMode.STATELESS) {
      return;
    }
    JobSpec lastJob = last.spec().job();
    if (lastJob != null
        && lastJob.isSuspended()
        && lastJob.upgradeMode() == UpgradeMode.LAST_STATE
        && last.spec().flinkVersion() != version) {
      report.add(
          PATH,
          "cannot be changed to "
              + version
              + " while the job is suspended with last-state. Resume it with "
              + last.spec().flinkVersion()
              + " first, then upgrade it");
    }
  }
}
