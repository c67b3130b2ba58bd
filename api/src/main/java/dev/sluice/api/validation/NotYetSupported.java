package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
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
