package dev.sluice.api.validation;

import dev.sluice.api.common.JobSpec;
import java.net.URI;
import java.net.URISyntaxException;

final class JobRules implements Rule {
  @Override
  public void check(Subject subject, Report report) {
    JobSpec job = subject.spec().job();
    if (job == null) {
      return;
    }
    if (subject.spec().taskManager().replicas() == null && job.parallelism() < 1) {
      report.add(
          "spec.job.parallelism",
          "must be at least 1, is "
              + job.parallelism()
              + ". Set it, or set spec.taskManager.replicas");
    }
    String jar = job.jarURI();
    if (jar != null && !isUri(jar)) {
      report.add(
          "spec.job.jarURI",
          "must be a URI such as local:///opt/flink/usrlib/job.jar, is '" + jar + "'");
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
