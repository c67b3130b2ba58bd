package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What Flink or Apache's operator can do, but Sluice not yet. Each check goes away when its feature
 * comes; nothing else depends on this class.
 */
final class NotYetSupported implements Rule {
  @Override
  public void check(Subject subject, Report report) {
    restTls(subject.configuration(), subject.spec().flinkVersion())
        .ifPresent(
            key ->
                report.notSupported(
                    Subject.keyPath(key),
                    "TLS for Flink's REST API is not supported yet. Set "
                        + ConfigKeys.REST_TLS
                        + " to false; TLS between Flink's processes"
                        + " (security.ssl.internal.enabled) works"));
    checkCheckpointFolders(subject, report);
    checkSnapshotResources(subject, report);
    if (subject.spec().job() == null
        && subject.spec().mode() == KubernetesDeploymentMode.STANDALONE) {
      report.notSupported(
          "spec.job", "must be given: standalone session clusters are not supported yet");
    }
  }

  /** The folder tells whose checkpoint it is, and so whether a job has progressed. */
  private static void checkCheckpointFolders(Subject subject, Report report) {
    for (String key : ConfigKeys.CHECKPOINT_SUBDIR) {
      if (!ConfigKeys.isOn(subject.configuration(), key, true)) {
        report.notSupported(
            Subject.keyPath(key),
            "false is not supported: Sluice tells by the folder which job wrote a checkpoint."
                + " Remove the key");
      }
    }
  }

  /** What is asked for is a FlinkStateSnapshot; there is no record of it in the status instead. */
  private static void checkSnapshotResources(Subject subject, Report report) {
    if (ConfigKeys.isOn(subject.configuration(), ConfigKeys.SNAPSHOT_RESOURCES, true)) {
      return;
    }
    JobSpec job = subject.spec().job();
    boolean nonce =
        job != null
            && (job.savepointTriggerNonce() != null || job.checkpointTriggerNonce() != null);
    if (nonce || asksPeriodically(subject)) {
      report.notSupported(
          Subject.keyPath(ConfigKeys.SNAPSHOT_RESOURCES),
          "false is not supported yet together with a trigger nonce or a periodic interval: what"
              + " these ask for is a FlinkStateSnapshot. Remove the key, or those");
    }
  }

  private static boolean asksPeriodically(Subject subject) {
    try {
      return SnapshotInterval.of(subject.configuration(), SnapshotType.SAVEPOINT).isPresent()
          || SnapshotInterval.of(subject.configuration(), SnapshotType.CHECKPOINT).isPresent();
    } catch (IllegalArgumentException reportedElsewhere) {
      return false;
    }
  }

  /** The key that turns TLS on for the REST API, as {@code SecurityOptions.isRestSSLEnabled}. */
  private static Optional<String> restTls(
      FlinkConfiguration configuration, @Nullable FlinkVersion version) {
    if (configuration.has(ConfigKeys.REST_TLS)) {
      return Optional.of(ConfigKeys.REST_TLS)
          .filter(key -> ConfigKeys.isOn(configuration, key, false));
    }
    return Optional.of(ConfigKeys.ALL_TLS)
        .filter(key -> version == null || !version.isAtLeast(FlinkVersion.V2_0))
        .filter(key -> ConfigKeys.isOn(configuration, key, false));
  }
}
