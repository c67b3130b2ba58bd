package dev.sluice.activities.sessionjob;

import dev.sluice.activities.artifact.ArtifactException;
import dev.sluice.activities.artifact.ArtifactUri;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.sessionjob.JarStart.Artifacts;
import dev.sluice.api.common.JobSpec;
import dev.sluice.workflows.activity.FailureType;
import io.temporal.failure.ApplicationFailure;
import org.jspecify.annotations.Nullable;

/** Fetches the jar of a target once, and throws it away. */
record JarCheck(SessionJobTarget target, Artifacts artifacts) {

  /**
   * @throws ApplicationFailure {@code Refused}: it is no URI of a jar
   */
  static ArtifactUri parsed(@Nullable String jarUri) {
    if (jarUri == null) {
      return new ArtifactUri.ClassPath();
    }
    try {
      return ArtifactUri.parse(jarUri);
    } catch (IllegalArgumentException e) {
      throw ApplicationFailure.newNonRetryableFailure(
          "spec.job.jarURI cannot be fetched: " + e.getMessage(), FailureType.REFUSED);
    }
  }

  /** Takes minutes, unless there is nothing to fetch: the jar is in the image, or there is none. */
  ProbeResult<Void> look() {
    JobSpec job = target.spec().spec().job();
    ArtifactUri jar = parsed(job == null ? null : job.jarURI());
    if (jar instanceof ArtifactUri.ClassPath || jar instanceof ArtifactUri.InImage) {
      return ProbeResult.done(null);
    }
    try {
      artifacts.fetch(jar, target.submitted().asMap()).close();
      return ProbeResult.done(null);
    } catch (ArtifactException e) {
      return ProbeResult.failed(
          FailureType.REFUSED,
          "The jar of generation %d (spec.job.jarURI) cannot be fetched: %s. The running job was not stopped. Retried automatically; correct the spec, or abort"
              .formatted(target.spec().generation(), e.getMessage()));
    }
  }
}
