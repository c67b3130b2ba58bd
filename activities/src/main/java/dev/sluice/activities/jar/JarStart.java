package dev.sluice.activities.jar;

import dev.sluice.activities.artifact.ArtifactException;
import dev.sluice.activities.artifact.ArtifactUri;
import dev.sluice.activities.artifact.FetchedArtifact;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkJars;
import dev.sluice.activities.flink.FlinkJars.RunAnswer;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.FlinkRestException.Rejected;
import dev.sluice.activities.flink.JarRun;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.jar.StartOutcome.FailedAtOnce;
import dev.sluice.activities.jar.StartOutcome.NotStarted;
import dev.sluice.activities.jar.StartOutcome.Part;
import dev.sluice.activities.jar.StartOutcome.Started;
import dev.sluice.activities.jar.StartOutcome.Unknown;
import dev.sluice.api.common.FlinkJobState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Starts jobs on session clusters. Every attempt looks for the job first, and runs it under an id
 * that was fixed before, which Flink takes once only: a job is never started twice, whatever answer
 * is lost.
 */
public final class JarStart {

  /** More than two need other workers that delete the jar again and again. */
  private static final int UPLOADS = 3;

  /** What was seen longer ago, as by a worker that was paused, is looked at again before a run. */
  private static final Duration FRESH = Duration.ofSeconds(5);

  private final FlinkRest flink;
  private final FlinkJars runs;
  private final Artifacts artifacts;
  private final UploadedJars jars;
  private final Clock clock;

  /** Fetches jars; {@link dev.sluice.activities.artifact.ArtifactFetcher#fetch}. */
  @FunctionalInterface
  public interface Artifacts {
    /** A jar in a temporary file, which the caller deletes. */
    CompletableFuture<FetchedArtifact> fetch(ArtifactUri from, Map<String, String> configuration);
  }

  /** Whether an attempt may go on; called at least every two seconds. What it throws ends it. */
  @FunctionalInterface
  public interface Lease extends Runnable {
    /** Flink is asked to run the job next; what it throws keeps it from being asked. Blocks. */
    default void sending() {}

    /** It is certain that the run that was sent last has started nothing. Blocks. */
    default void startedNothing() {}
  }

  /**
   * A job to be started.
   *
   * @param cluster that is to run it
   * @param jar where it is
   * @param fetchConfiguration of the resource, with the keys for fetching artifacts
   * @param run how it is run, with its id
   */
  public record Request(
      Endpoint cluster, ArtifactUri jar, Map<String, String> fetchConfiguration, JarRun run) {}

  public JarStart(FlinkRest flink, FlinkJars runs, Artifacts artifacts, Clock clock) {
    this.flink = flink;
    this.runs = runs;
    this.artifacts = artifacts;
    this.clock = clock;
    this.jars = new UploadedJars(runs, clock);
  }

  /**
   * Starts a job, unless Flink has it. Blocks for as long as that takes.
   *
   * @param alive is called every two seconds at least, and right before the job is run; what it
   *     throws ends the attempt
   * @throws java.util.concurrent.CancellationException when the thread was interrupted; the job may
   *     be started
   */
  public StartOutcome start(Request request, Lease alive) {
    StartAttempt attempt = new StartAttempt(alive);
    try {
      if (isThere(attempt, request)) {
        return new Started();
      }
      return request.jar() instanceof ArtifactUri.InImage image
          ? fetchAndRun(attempt, ImageJar.onClassPath(request, image))
          : fetchAndRun(attempt, request);
    } catch (ArtifactException e) {
      return new NotStarted(Part.ARTIFACT, words(e), e.mayPass());
    } catch (FlinkRestException e) {
      return new NotStarted(Part.JOB_MANAGER, words(e), !(e instanceof Rejected));
    }
  }

  private StartOutcome fetchAndRun(StartAttempt attempt, Request request) {
    try (FetchedArtifact artifact =
        attempt.await(artifacts.fetch(request.jar(), request.fetchConfiguration()))) {
      return uploadAndRun(attempt, request, artifact);
    }
  }

  /** A FlinkRestException of this one comes from before a run. */
  private StartOutcome uploadAndRun(
      StartAttempt attempt, Request request, FetchedArtifact artifact) {
    for (int uploads = 1; ; uploads++) {
      String jar = jars.take(attempt, request.cluster(), artifact);
      try {
        // fetching and uploading took a while, and an earlier attempt may have come through
        Instant asked;
        do {
          asked = clock.instant();
          if (isThere(attempt, request)) {
            return new Started();
          }
        } while (clock.instant().isAfter(asked.plus(FRESH)));
        Optional<StartOutcome> outcome = run(attempt, request, jar);
        if (outcome.isPresent()) {
          return outcome.get();
        }
      } finally {
        jars.release(request.cluster(), jar);
      }
      if (uploads == UPLOADS) {
        return new NotStarted(
            Part.JOB_MANAGER,
            request.cluster() + " lost the jar each time that it was uploaded",
            true);
      }
    }
  }

  /**
   * Empty when the jar is gone: another worker may have deleted it while the program read it. A
   * program that misses a file of its own says the same words.
   */
  private Optional<StartOutcome> run(StartAttempt attempt, Request request, String jarId) {
    RunAnswer answer;
    try {
      answer = attempt.send(() -> runs.run(request.cluster(), jarId, request.run()));
    } catch (FlinkRestException e) {
      return Optional.of(afterNoAnswer(attempt, request, words(e)));
    }
    if (answer instanceof RunAnswer.JarMissing missing) {
      return afterRefusal(attempt, request, jarId, missing.why());
    }
    if (answer instanceof RunAnswer.Refused refused) {
      return afterRefusal(attempt, request, jarId, refused.why());
    }
    return Optional.of(new Started());
  }

  /** What fails late may have got as far as the list of jobs, whether the jar is there or not. */
  private Optional<StartOutcome> afterRefusal(
      StartAttempt attempt, Request request, String jarId, String why) {
    StartOutcome outcome = afterRefusal(attempt, request, why);
    return outcome instanceof NotStarted && !hasJar(attempt, request, jarId)
        ? Optional.empty()
        : Optional.of(outcome);
  }

  /** One that does not tell is believed to have it. */
  private boolean hasJar(StartAttempt attempt, Request request, String jarId) {
    try {
      return jars.isThere(attempt, request.cluster(), jarId);
    } catch (FlinkRestException silent) {
      return true;
    }
  }

  private StartOutcome afterNoAnswer(StartAttempt attempt, Request request, String why) {
    try {
      return isThere(attempt, request) ? new Started() : new Unknown(why);
    } catch (FlinkRestException e) {
      return new Unknown(why);
    }
  }

  /** What fails late may have got as far as the list of jobs. */
  private StartOutcome afterRefusal(StartAttempt attempt, Request request, String why) {
    try {
      Optional<JobOverview> job = look(attempt, request);
      if (job.isEmpty()) {
        attempt.startedNothing();
        return new NotStarted(Part.PROGRAM, why, false);
      }
      return job.get().state() == FlinkJobState.FAILED ? new FailedAtOnce(why) : new Started();
    } catch (FlinkRestException e) {
      return new Unknown(why);
    }
  }

  private boolean isThere(StartAttempt attempt, Request request) {
    return look(attempt, request).isPresent();
  }

  private Optional<JobOverview> look(StartAttempt attempt, Request request) {
    return attempt.await(flink.jobsOverview(request.cluster())).job(request.run().jobId());
  }

  private static String words(RuntimeException e) {
    return String.valueOf(e.getMessage());
  }
}
