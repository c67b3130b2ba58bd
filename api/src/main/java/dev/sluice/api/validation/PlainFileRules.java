package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.SnapshotReference;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import org.jspecify.annotations.Nullable;

/**
 * Flink before 1.19 reads {@code flink-conf.yaml} line by line, up to a {@code #}, and knows no
 * quotes: a value with one of these cannot be written for it.
 */
final class PlainFileRules implements Rule {
  private static final String OPERATOR_PREFIX = "kubernetes.operator.";

  @Override
  public void check(Subject subject, Report report) {
    FlinkDeploymentSpec spec = subject.spec();
    FlinkVersion version = spec.flinkVersion();
    if (version == null || version.isAtLeast(FlinkVersion.V1_19)) {
      return;
    }
    spec.configuration()
        .asMap()
        .forEach(
            (key, value) -> {
              if (!key.startsWith(OPERATOR_PREFIX)) {
                check(Subject.keyPath(key), key.contains("#") ? key : value, report);
              }
            });
    JobSpec job = spec.job();
    if (job == null) {
      return;
    }
    check("spec.job.jarURI", job.jarURI(), report);
    check("spec.job.entryClass", job.entryClass(), report);
    check("spec.job.initialSavepointPath", job.initialSavepointPath(), report);
    SnapshotReference snapshot = job.flinkStateSnapshotReference();
    if (snapshot != null) {
      check("spec.job.flinkStateSnapshotReference.path", snapshot.path(), report);
    }
    for (int i = 0; i < job.args().size(); i++) {
      check("spec.job.args[" + i + "]", job.args().get(i), report);
    }
  }

  private static void check(String path, @Nullable String value, Report report) {
    if (value != null && value.codePoints().anyMatch(c -> c == '#' || c == '\n' || c == '\r')) {
      report.add(
          path,
          "must not contain '#' or line breaks: flink-conf.yaml, the configuration file of Flink"
              + " before 1.19, cannot hold them");
    }
  }
}
