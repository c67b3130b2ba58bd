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
    /**
     * Blocks.
     *
     * @return a jar in a temporary file, which the caller deletes
     * @throws ArtifactException when it cannot be fetched, or the thread was interrupted
     */
    FetchedArtifact fetch(ArtifactUri from, Map<String, String> configuration);
  }

  /** Whether an attempt may go on; called before each call to Flink. What it throws ends it. */
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
   * Starts a job, unless Flink has it. Blocks for as long as that takes. An interrupt ends the
   * attempt; the job may be started.
   *
   * @param alive is called right before the job is run, among others; what it throws ends the
   *     attempt
   */
  public StartOutcome start(Request request, Lease alive) {
    try {
      if (isThere(alive, request)) {
        return new Started();
      }
      return request.jar() instanceof ArtifactUri.InImage image
          ? fetchAndRun(alive, ImageJar.onClassPath(request, image))
          : fetchAndRun(alive, request);
    } catch (ArtifactException e) {
      return new NotStarted(Part.ARTIFACT, words(e), e.mayPass());
    } catch (FlinkRestException e) {
      return new NotStarted(Part.JOB_MANAGER, words(e), !(e instanceof Rejected));
    }
  }

  private StartOutcome fetchAndRun(Lease alive, Request request) {
    try (FetchedArtifact artifact = artifacts.fetch(request.jar(), request.fetchConfiguration())) {
      return uploadAndRun(alive, request, artifact);
    }
  }

  /** A FlinkRestException of this one comes from before a run. */
  private StartOutcome uploadAndRun(Lease alive, Request request, FetchedArtifact artifact) {
    for (int uploads = 1; ; uploads++) {
      String jar = jars.take(alive, request.cluster(), artifact);
      try {
        // fetching and uploading took a while, and an earlier attempt may have come through
        Instant asked;
        do {
          asked = clock.instant();
          if (isThere(alive, request)) {
            return new Started();
          }
        } while (clock.instant().isAfter(asked.plus(FRESH)));
        Optional<StartOutcome> outcome = run(alive, request, jar);
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
  private Optional<StartOutcome> run(Lease alive, Request request, String jarId) {
    RunAnswer answer;
    try {
      alive.sending();
      alive.run();
      answer = runs.run(request.cluster(), jarId, request.run());
    } catch (FlinkRestException e) {
      return Optional.of(afterNoAnswer(alive, request, words(e)));
    }
    if (answer instanceof RunAnswer.JarMissing missing) {
      return afterRefusal(alive, request, jarId, missing.why());
    }
    if (answer instanceof RunAnswer.Refused refused) {
      return afterRefusal(alive, request, jarId, refused.why());
    }
    return Optional.of(new Started());
  }

  /** What fails late may have got as far as the list of jobs, whether the jar is there or not. */
  private Optional<StartOutcome> afterRefusal(
      Lease alive, Request request, String jarId, String why) {
    StartOutcome outcome = afterRefusal(alive, request, why);
    return outcome instanceof NotStarted && !hasJar(request, jarId)
        ? Optional.empty()
        : Optional.of(outcome);
  }

  /** One that does not tell is believed to have it. */
  private boolean hasJar(Request request, String jarId) {
    try {
      return jars.isThere(request.cluster(), jarId);
    } catch (FlinkRestException silent) {
      return true;
    }
  }

  private StartOutcome afterNoAnswer(Lease alive, Request request, String why) {
    try {
      return isThere(alive, request) ? new Started() : new Unknown(why);
    } catch (FlinkRestException e) {
      return new Unknown(why);
    }
  }

  /** What fails late may have got as far as the list of jobs. */
  private StartOutcome afterRefusal(Lease alive, Request request, String why) {
    try {
      Optional<JobOverview> job = look(alive, request);
      if (job.isEmpty()) {
        alive.startedNothing();
        return new NotStarted(Part.PROGRAM, why, false);
      }
      return job.get().state() == FlinkJobState.FAILED ? new FailedAtOnce(why) : new Started();
    } catch (FlinkRestException e) {
      return new Unknown(why);
    }
  }

  private boolean isThere(Lease alive, Request request) {
    return look(alive, request).isPresent();
  }

  private Optional<JobOverview> look(Lease alive, Request request) {
    alive.run();
    return flink.jobsOverview(request.cluster()).job(request.run().jobId());
  }

  private static String words(RuntimeException e) {
    return String.valueOf(e.getMessage());
  }
}
