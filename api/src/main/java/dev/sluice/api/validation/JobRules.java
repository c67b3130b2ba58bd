package dev.sluice.api.validation;

import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.RedactedUri;
import dev.sluice.api.common.SnapshotReference;
import java.net.URI;
import java.net.URISyntaxException;

/** Where the job comes from, and what it starts from. */
final class JobRules implements Rule {
  private static final String SNAPSHOT = "spec.job.flinkStateSnapshotReference";

  @Override
  public void check(Subject subject, Report report) {
    JobSpec job = subject.spec().job();
    String jar = job == null ? null : job.jarURI();
    if (jar != null && !isUri(jar)) {
      report.add(
          "spec.job.jarURI",
          "must be a URI such as local:///opt/flink/usrlib/job.jar, but is "
              + Printable.quoted(RedactedUri.of(jar)));
    }
    if (job != null && job.flinkStateSnapshotReference() != null) {
      checkStart(job, job.flinkStateSnapshotReference(), report);
    }
  }

  private static void checkStart(JobSpec job, SnapshotReference snapshot, Report report) {
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

  private static boolean isUri(String text) {
    try {
      new URI(text);
      return !text.isBlank();
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
