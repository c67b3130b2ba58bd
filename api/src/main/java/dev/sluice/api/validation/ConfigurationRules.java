package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import java.util.List;

/** Keys that must not be set, and keys that need another one. */
final class ConfigurationRules implements Rule {
  private static final List<String> FORBIDDEN =
      List.of("kubernetes.namespace", "kubernetes.cluster-id", "high-availability.cluster-id");

  @Override
  public void check(Subject subject, Report report) {
    FlinkConfiguration own = subject.spec().configuration();
    for (String key : FORBIDDEN) {
      if (own.get(key).isPresent()) {
        report.add(
            Subject.keyPath(key),
            "must not be set: it is derived from the name and namespace of the resource. Remove"
                + " it");
      }
    }
    FlinkConfiguration configuration = subject.configuration();
    if (ConfigKeys.isOn(configuration, ConfigKeys.HEALTH_CHECK, false)
        && !ConfigKeys.isOn(configuration, ConfigKeys.JM_RECOVERY, true)) {
      report.add(
          Subject.keyPath(ConfigKeys.HEALTH_CHECK),
          "needs "
              + ConfigKeys.JM_RECOVERY
              + ", which is false. Remove that key or set it to true");
    }
  }
}
