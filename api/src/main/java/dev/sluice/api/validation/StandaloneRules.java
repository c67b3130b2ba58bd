package dev.sluice.api.validation;

import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.RedactedUri;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import java.util.Locale;
import java.util.Set;

/** What Flink's standalone entry point cannot do. */
final class StandaloneRules implements Rule {

  /** Those of a jar that Java itself can load classes from; local means a file of the image. */
  private static final Set<String> ON_CLASS_PATH = Set.of("local", "file", "http", "https");

  @Override
  public void check(Subject subject, Report report) {
    JobSpec job = subject.spec().job();
    String jar = job == null ? null : job.jarURI();
    if (subject.spec().mode() != KubernetesDeploymentMode.STANDALONE
        || jar == null
        || jar.isBlank()) {
      return;
    }
    String scheme = jar.trim().split(":", 2)[0].toLowerCase(Locale.ROOT);
    if (!jar.contains(":") || !ON_CLASS_PATH.contains(scheme)) {
      report.add(
          "spec.job.jarURI",
          "must begin with local:, file:, http: or https: in standalone mode, but is "
              + Printable.quoted(RedactedUri.of(jar))
              + ". Put the jar into the image");
    }
  }
}
