package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.HighAvailabilityMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * High availability decides whether a restarted JobManager finds its job's newest checkpoint, so it
 * must be of a kind that Sluice can look into, and one that this Flink version reads.
 */
final class HighAvailabilityRules implements Rule {
  private static final String OLD_KEY = "high-availability";
  private static final List<String> STORAGE =
      List.of(
          "high-availability.storageDir",
          "high-availability.zookeeper.storageDir",
          "recovery.zookeeper.storageDir");

  @Override
  public void check(Subject subject, Report report) {
    FlinkConfiguration configuration = subject.configuration();
    HighAvailabilityMode.key(configuration)
        .ifPresent(key -> check(configuration, key, subject.spec().flinkVersion(), report));
  }

  private static void check(
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
          report.add(
              Subject.keyPath(STORAGE.get(0)),
              "must be given for high availability. Set it to durable storage");
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
      report.add(
          Subject.keyPath(key),
          "is ignored by Flink before 1.17. Use the key " + OLD_KEY + " instead");
    } else if (!version.isAtLeast(FlinkVersion.V1_16)
        && !value.equals(HighAvailabilityMode.KUBERNETES_FACTORY)) {
      report.add(
          Subject.keyPath(key),
          "must be "
              + HighAvailabilityMode.KUBERNETES_FACTORY
              + " for Flink before 1.16, but is "
              + Printable.quoted(value));
    }
  }
}
