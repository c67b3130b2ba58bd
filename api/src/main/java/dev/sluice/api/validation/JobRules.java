package dev.sluice.api.validation;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.RedactedUri;
import dev.sluice.api.common.SnapshotReference;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where the job comes from, what it starts from, its parallelism, and when it is stable. */
final class JobRules {
  private static final String JAR = "spec.job.jarURI";
  private static final String SNAPSHOT = "spec.job.flinkStateSnapshotReference";

  /** Those of a jar that Java itself can load classes from; local means a file of the image. */
  private static final Set<String> ON_CLASS_PATH = Set.of("local", "file", "http", "https");

  private JobRules() {}

  static void check(Subject subject, Report report) {
    JobSpec job = subject.spec().job();
    if (job != null) {
      boolean standalone = subject.spec().mode() == KubernetesDeploymentMode.STANDALONE;
      checkJar(job.jarURI(), standalone, report);
      checkStart(job, report);
      if (job.parallelism() < 1 && subject.spec().taskManager().replicas() == null) {
        report.add(
            "spec.job.parallelism",
            "must be at least 1, but is %d. Set it, or set spec.taskManager.replicas"
                .formatted(job.parallelism()));
      }
    }
    checkStable(subject, report);
  }

  /**
   * @param loaded it is loaded as a URL, not found by Flink's client
   */
  static void checkJar(@Nullable String jar, boolean loaded, Report report) {
    if (jar == null) {
      return;
    }
    if (!isUri(jar)) {
      report.add(
          JAR,
          "must be a URI such as local:///opt/flink/usrlib/job.jar, but is "
              + Printable.quoted(RedactedUri.of(jar)));
    }
    if (!loaded || jar.isBlank()) {
      return;
    }
    String scheme = jar.trim().split(":", 2)[0].toLowerCase(Locale.ROOT);
    if (!jar.contains(":") || !ON_CLASS_PATH.contains(scheme)) {
      report.add(
          JAR,
          "must begin with local:, file:, http: or https:, but is "
              + Printable.quoted(RedactedUri.of(jar)));
    }
  }

  private static boolean isUri(String text) {
    try {
      new URI(text);
      return !text.isBlank();
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static void checkStart(JobSpec job, Report report) {
    SnapshotReference snapshot = job.flinkStateSnapshotReference();
    if (snapshot == null) {
      return;
    }
    String initial = job.initialSavepointPath();
    if (initial != null && !initial.isBlank()) {
      report.add(
          SNAPSHOT,
          "cannot be given together with spec.job.initialSavepointPath. Remove one of them");
    }
    if (snapshot.name() == null && snapshot.path() == null) {
      report.add(SNAPSHOT, "must have the name of a FlinkStateSnapshot, or a path");
    }
    if (!snapshot.isNamedWell()) {
      report.add(
          SNAPSHOT,
          "must have a name and a namespace of lower-case letters, digits, '-' and '.', but names "
              + Printable.quoted(snapshot.display()));
    }
  }

  private static void checkStable(Subject subject, Report report) {
    String time = subject.annotations().get(Annotations.STABLE_AFTER);
    try {
      long unused = time == null || time.isBlank() ? 0 : StableAfter.parseQuietMs(time);
    } catch (IllegalArgumentException wrong) {
      report.add(
          "metadata.annotations." + Annotations.STABLE_AFTER,
          wrong.getMessage() + ", but is " + Printable.quoted(time));
    }
  }
}
