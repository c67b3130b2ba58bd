package dev.sluice.activities.sessionjob;

import dev.sluice.activities.artifact.ArtifactException;
import dev.sluice.activities.artifact.ArtifactUri;
import dev.sluice.activities.artifact.FetchedArtifact;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.jar.JarStart.Artifacts;
import dev.sluice.api.common.JobSpec;
import dev.sluice.workflows.activity.FailureType;
import io.temporal.failure.ApplicationFailure;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Fetches the jar of a target once, and throws it away. One instance for each attempt. */
final class JarCheck {

  private final long generation;
  private final CompletableFuture<FetchedArtifact> fetch;

  private JarCheck(long generation, CompletableFuture<FetchedArtifact> fetch) {
    this.generation = generation;
    this.fetch = fetch;
  }

  /**
   * Begins to fetch it.
   *
   * @param ended called, on any thread, once that has ended
   * @return empty when there is nothing to fetch: the jar is in the image, or there is none
   * @throws ApplicationFailure {@code Refused}: {@code spec.job.jarURI} is no URI of a jar
   */
  static Optional<JarCheck> begin(SessionJobTarget target, Artifacts artifacts, Runnable ended) {
    JobSpec job = target.spec().spec().job();
    ArtifactUri jar = parsed(job == null ? null : job.jarURI());
    if (jar instanceof ArtifactUri.ClassPath || jar instanceof ArtifactUri.InImage) {
      return Optional.empty();
    }
    CompletableFuture<FetchedArtifact> fetch = artifacts.fetch(jar, target.submitted().asMap());
    CompletableFuture<FetchedArtifact> unused =
        fetch.whenComplete(
            (artifact, thrown) -> {
              if (artifact != null) {
                artifact.close();
              }
              ended.run();
            });
    return Optional.of(new JarCheck(target.spec().generation(), fetch));
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

  ProbeResult<Void> look() {
    return fetch.isDone() ? judge() : ProbeResult.notYet("its jar is being fetched");
  }

  /** The wait has ended: what is in flight is given up. */
  void end() {
    fetch.cancel(true);
  }

  private ProbeResult<Void> judge() {
    Throwable thrown = fetch.handle((artifact, failure) -> failure).join();
    if (thrown == null) {
      return ProbeResult.done(null);
    }
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    String why = cause instanceof ArtifactException ? cause.getMessage() : cause.toString();
    return ProbeResult.failed(
        FailureType.REFUSED,
        "The jar of generation %d (spec.job.jarURI) cannot be fetched: %s. The running job was not stopped. Retried automatically; correct the spec, or abort"
            .formatted(generation, why));
  }
}
