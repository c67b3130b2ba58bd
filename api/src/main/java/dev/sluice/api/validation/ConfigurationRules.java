package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.SnapshotReference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keys of the Flink configuration that cannot be written, must not be set or need another one. */
final class ConfigurationRules implements SpecValidation.Rule {
  private static final List<String> FORBIDDEN =
      List.of("kubernetes.namespace", "kubernetes.cluster-id", "high-availability.cluster-id");
  private static final String OPERATOR_PREFIX = "kubernetes.operator.";

  @Override
  public void check(Subject subject, Report report) {
    FlinkConfiguration own = subject.configuration();
    for (String key : FORBIDDEN) {
      if (own.get(key).isPresent()) {
        report.add(
            Subject.keyPath(key),
            "must not be set: it is derived from the name and namespace of the resource. Remove"
                + " it");
      }
    }
    if (ConfigKeys.isOn(own, ConfigKeys.HEALTH_CHECK, false)
        && !ConfigKeys.isOn(own, ConfigKeys.JM_RECOVERY, true)) {
      report.add(
          Subject.keyPath(ConfigKeys.HEALTH_CHECK),
          "needs "
              + ConfigKeys.JM_RECOVERY
              + ", which is false. Remove that key or set it to true");
    }
    FlinkVersion version = subject.spec().flinkVersion();
    checkRestTls(own, version, report);
    checkKeys(own, report);
    if (version != null && !version.isAtLeast(FlinkVersion.V1_19)) {
      checkPlainFile(own, subject.spec().job(), report);
    }
  }

  /** As {@code SecurityOptions.isRestSSLEnabled}. */
  private static void checkRestTls(
      FlinkConfiguration own, @Nullable FlinkVersion version, Report report) {
    String key = own.has(ConfigKeys.REST_TLS) ? ConfigKeys.REST_TLS : ConfigKeys.ALL_TLS;
    boolean read =
        key.equals(ConfigKeys.REST_TLS) || version == null || !version.isAtLeast(FlinkVersion.V2_0);
    if (read && ConfigKeys.isOn(own, key, false)) {
      report.notSupported(
          Subject.keyPath(key),
          "TLS for Flink's REST API is not supported yet. Set "
              + ConfigKeys.REST_TLS
              + " to false; TLS between Flink's processes"
              + " (security.ssl.internal.enabled) works");
    }
  }

  /** What Flink could not read back from its configuration file. */
  static void checkKeys(FlinkConfiguration own, Report report) {
    for (String key : own.asMap().keySet()) {
      if (key.isEmpty() || key.codePoints().anyMatch(ConfigurationRules::isBlankOrControl)) {
        report.add(
            Subject.keyPath(key),
            "must be a key without blanks and line breaks, but is " + Printable.quoted(key));
      }
    }
  }

  private static boolean isBlankOrControl(int codePoint) {
    return Character.isWhitespace(codePoint)
        || Character.isSpaceChar(codePoint)
        || Character.isISOControl(codePoint);
  }

  /**
   * Flink before 1.19 reads {@code flink-conf.yaml} line by line, up to a {@code #}, and knows no
   * quotes: a value with one of these cannot be written for it.
   */
  private static void checkPlainFile(FlinkConfiguration own, @Nullable JobSpec job, Report report) {
    own.asMap()
        .forEach(
            (key, value) -> {
              if (!key.startsWith(OPERATOR_PREFIX)) {
                checkPlain(Subject.keyPath(key), key.contains("#") ? key : value, report);
              }
            });
    if (job == null) {
      return;
    }
    checkPlain("spec.job.jarURI", job.jarURI(), report);
    checkPlain("spec.job.entryClass", job.entryClass(), report);
    checkPlain("spec.job.initialSavepointPath", job.initialSavepointPath(), report);
    SnapshotReference snapshot = job.flinkStateSnapshotReference();
    if (snapshot != null) {
      checkPlain("spec.job.flinkStateSnapshotReference.path", snapshot.path(), report);
    }
    for (int i = 0; i < job.args().size(); i++) {
      checkPlain("spec.job.args[" + i + "]", job.args().get(i), report);
    }
  }

  private static void checkPlain(String path, @Nullable String value, Report report) {
    if (value != null && value.codePoints().anyMatch(c -> c == '#' || c == '\n' || c == '\r')) {
      report.add(
          path,
          "must not contain '#' or line breaks: flink-conf.yaml, the configuration file of Flink"
              + " before 1.19, cannot hold them");
    }
  }
}
