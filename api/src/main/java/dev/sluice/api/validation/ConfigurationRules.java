package dev.sluice.api.validation;

import static dev.sluice.api.common.FlinkConfiguration.REST_TLS;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotReference;
import dev.sluice.api.common.SnapshotType;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keys of the Flink configuration that cannot be written, must not be set or need another one. */
final class ConfigurationRules {
  private static final List<String> FORBIDDEN =
      List.of("kubernetes.namespace", "kubernetes.cluster-id", "high-availability.cluster-id");
  private static final String HEALTH_CHECK = "kubernetes.operator.cluster.health-check.enabled";
  private static final String RECOVERY = "kubernetes.operator.jm-deployment-recovery.enabled";

  /** TLS everywhere, where nothing more special is said; gone in Flink 2. */
  private static final String ALL_TLS = "security.ssl.enabled";

  private ConfigurationRules() {}

  /**
   * @param restTls whether the operator can call Flink's REST API over TLS
   */
  static void check(Subject subject, boolean restTls, Report report) {
    FlinkConfiguration own = subject.configuration();
    for (String key : FORBIDDEN) {
      if (own.get(key).isPresent()) {
        report.addKey(
            key,
            "must not be set: it is derived from the name and namespace of the resource. Remove"
                + " it");
      }
    }
    if (own.isOn(HEALTH_CHECK, false) && !own.isOn(RECOVERY, true)) {
      report.addKey(
          HEALTH_CHECK,
          "needs " + RECOVERY + ", which is false. Remove that key or set it to true");
    }
    FlinkVersion version = subject.spec().flinkVersion();
    boolean two = version != null && version.isAtLeast(FlinkVersion.V2_0);
    restTlsKey(own, two).ifPresent(key -> checkRestTls(key, restTls, report));
    checkEntries(subject, report);
    if (version != null && !version.isAtLeast(FlinkVersion.V1_19)) {
      checkPlainFile(own, subject.spec().job(), report);
    }
  }

  /**
   * The key by which the REST API takes TLS alone, as {@code SecurityOptions.isRestSSLEnabled};
   * empty where it does not.
   *
   * @param two Flink 2 or later, which does not read the key for all of TLS
   */
  static Optional<String> restTlsKey(FlinkConfiguration own, boolean two) {
    String key = own.has(REST_TLS) ? REST_TLS : ALL_TLS;
    return Optional.of(key).filter(it -> own.isOn(it, false) && !(two && it.equals(ALL_TLS)));
  }

  private static void checkRestTls(String key, boolean restTls, Report report) {
    if (key.equals(ALL_TLS)) {
      report.addKey(
          key,
          "needs %s, which says whether that holds for the REST API, too. Set it to true or false"
              .formatted(REST_TLS));
    } else if (!restTls) {
      report.notSupported(
          Subject.keyPath(key),
          "must be false: Sluice has no certificates for Flink's REST API"
              + " (SLUICE_FLINK_TLS_FOLDER of controller and worker, flink.tls.secretName of the"
              + " chart). TLS between Flink's processes (security.ssl.internal.enabled) works");
    }
  }

  /**
   * Keys that Flink could not read back from its configuration file, and values that Sluice itself
   * reads: a typing error is reported at once, not by a step that fails half-way. So is a
   * checkpoint that Flink would refuse each time.
   */
  static void checkEntries(Subject subject, Report report) {
    FlinkConfiguration own = subject.configuration();
    for (String key : own.asMap().keySet()) {
      if (key.isEmpty() || key.codePoints().anyMatch(ConfigurationRules::isBlankOrControl)) {
        report.addKey(
            key, "must be a key without blanks and line breaks, but is " + Printable.quoted(key));
      }
    }
    report.checkValues(own);
    JobSpec job = subject.spec().job();
    FlinkVersion version = subject.spec().flinkVersion();
    boolean takesCheckpoints =
        own.has(SnapshotInterval.key(SnapshotType.CHECKPOINT))
            || (job != null && job.checkpointTriggerNonce() != null);
    if (takesCheckpoints
        && version != null
        && version.takesCheckpoints()
        && !CheckpointType.of(own).isTakenBy(version)) {
      report.addKey(
          CheckpointType.KEY,
          "must not be INCREMENTAL: Flink %s cannot be asked for an incremental checkpoint"
                  .formatted(version.dotted())
              + " (FLINK-33723). Set FULL or CONFIGURED, with which the job's own configuration"
              + " decides");
    }
  }

  /** Keys that are given nested and flat, with two values. */
  static void checkContradictions(@Nullable JsonNode flinkConfiguration, Report report) {
    FlinkConfiguration.contradictions(flinkConfiguration)
        .forEach(
            key ->
                report.addKey(
                    key, "is given nested and flat, with two values. Remove one of them"));
  }

  static boolean isBlankOrControl(int codePoint) {
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
              if (!key.startsWith(KeyTable.OPERATOR)) {
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
