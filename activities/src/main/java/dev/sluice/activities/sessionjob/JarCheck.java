package dev.sluice.activities.sessionjob;

import dev.sluice.activities.artifact.ArtifactException;
import dev.sluice.activities.artifact.ArtifactUri;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.sessionjob.JarStart.Artifacts;
import dev.sluice.api.common.JobSpec;
import dev.sluice.workflows.activity.FailureType;
import io.temporal.failure.ApplicationFailure;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Fetches the jar of a target once, and throws it away. One instance for each attempt. */
final class JarCheck {

  private final SessionJobTarget target;
  private final ArtifactUri jar;
  private final Artifacts artifacts;
  private boolean announced;

  private JarCheck(SessionJobTarget target, ArtifactUri jar, Artifacts artifacts) {
    this.target = target;
    this.jar = jar;
    this.artifacts = artifacts;
  }

  /**
   * A check of the jar of that target.
   *
   * @return empty when there is nothing to fetch: the jar is in the image, or there is none
   * @throws ApplicationFailure {@code Refused}: {@code spec.job.jarURI} is no URI of a jar
   */
  static Optional<JarCheck> of(SessionJobTarget target, Artifacts artifacts) {
    JobSpec job = target.spec().spec().job();
    ArtifactUri jar = parsed(job == null ? null : job.jarURI());
    return jar instanceof ArtifactUri.ClassPath || jar instanceof ArtifactUri.InImage
        ? Optional.empty()
        : Optional.of(new JarCheck(target, jar, artifacts));
  }

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

  /** Takes minutes, but for the first, whose progress is shown meanwhile. */
  ProbeResult<Void> look() {
    if (!announced) {
      announced = true;
      return ProbeResult.notYet("its jar is being fetched");
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
