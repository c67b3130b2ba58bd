package dev.sluice.api.validation;

import dev.sluice.api.common.JobSpec;
import java.net.URI;
import java.net.URISyntaxException;

/** Where the job comes from. */
final class JobRules implements Rule {
  @Override
  public void check(Subject subject, Report report) {
    JobSpec job = subject.spec().job();
    String jar = job == null ? null : job.jarURI();
    if (jar != null && !isUri(jar)) {
      report.add(
          "spec.job.jarURI",
          "must be a URI such as local:///opt/flink/usrlib/job.jar, but is "
              + Printable.quoted(jar));
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
