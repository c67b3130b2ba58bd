package dev.sluice.activities.sessionjob;

import dev.sluice.activities.artifact.ArtifactException;
import dev.sluice.activities.artifact.ArtifactUri;
import dev.sluice.activities.artifact.FetchedArtifact;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkJars;
import dev.sluice.activities.flink.FlinkJars.RunAnswer;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JarRun;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.RestoreKeys;
import dev.sluice.workflows.activity.FailureType;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts jobs on session clusters. Every attempt looks for the job first, and runs it under an id
 * that was fixed before, which Flink takes once only: a job is never started twice, whatever answer
 * is lost. Each uploads a jar of its own and deletes it after the run: Flink needs it while a job
 * is started, not while it runs.
 */
public final class JarStart implements JarSubmission {

  private static final Logger LOG = LoggerFactory.getLogger(JarStart.class);
  private static final Pattern OURS = Pattern.compile("sluice-[0-9a-f]+\\.jar");
  private static final String CLASS_PATHS = "pipeline.classpaths";

  /** Keys of the operator, and those by which Flink would take what the request does not say. */
  private static final Pattern NOT_FOR_FLINK =
      Pattern.compile("kubernetes\\.operator\\..*|\\$internal\\..*|execution\\.target");

  /** Longer than any start: an older jar was left by a worker that was killed. */
  private static final Duration LEFT_BEHIND = Duration.ofHours(1);

  /** What was seen longer ago, as by a worker that was paused, is looked at again before a run. */
  private static final Duration FRESH = Duration.ofSeconds(5);

  private final FlinkRest flink;
  private final FlinkJars jars;
  private final Artifacts artifacts;
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

  public JarStart(FlinkRest flink, FlinkJars jars, Artifacts artifacts, Clock clock) {
    this.flink = flink;
    this.jars = jars;
    this.artifacts = artifacts;
    this.clock = clock;
  }

  @Override
  public void run(Endpoint cluster, Run job, Lease alive) {
    try {
      if (find(cluster, job, alive).isPresent()) {
        return;
      }
      ArtifactUri jar = JarCheck.parsed(job.jarUri());
      JarRun run = jarRun(job, jar);
      // Flink runs what was uploaded only: an empty jar for one in the image
      ArtifactUri from = jar instanceof ArtifactUri.InImage ? new ArtifactUri.ClassPath() : jar;
      try (FetchedArtifact artifact = artifacts.fetch(from, job.configuration().asMap())) {
        upload(cluster, job, run, artifact, alive);
      }
    } catch (ArtifactException e) {
      throw failure(
          "The jar of job %s (spec.job.jarURI) cannot be fetched: %s"
              .formatted(job.jobId(), e.getMessage()),
          FailureType.REFUSED,
          e.mayPass());
    } catch (FlinkRestException e) {
      throw failure(
          "Job %s was not started, because %s does not take its jar: %s"
              .formatted(job.jobId(), cluster, e.getMessage()),
          FailureType.CLUSTER_NOT_READY,
          !(e instanceof FlinkRestException.Rejected));
    }
  }

  private void upload(
      Endpoint cluster, Run job, JarRun run, FetchedArtifact artifact, Lease alive) {
    Instant old = clock.instant().minus(LEFT_BEHIND);
    jars.list(cluster).stream()
        .filter(it -> OURS.matcher(it.name()).matches() && it.uploaded().isBefore(old))
        .forEach(it -> delete(cluster, it.id()));
    alive.run();
    String jar = jars.upload(cluster, artifact.file(), "sluice-" + job.jobId() + ".jar");
    try {
      // fetching and uploading took a while, and an earlier attempt may have come through
      Instant asked;
      do {
        asked = clock.instant();
        if (find(cluster, job, alive).isPresent()) {
          return;
        }
      } while (clock.instant().isAfter(asked.plus(FRESH)));
      submit(cluster, job, run, jar, alive);
    } finally {
      delete(cluster, jar);
    }
  }

  /** Throws no FlinkRestException: that is for what failed before a run. */
  private void submit(Endpoint cluster, Run job, JarRun run, String jar, Lease alive) {
    String refusal;
    try {
      alive.sending();
      alive.run();
      RunAnswer answer = jars.run(cluster, jar, run);
      if (answer instanceof RunAnswer.JarMissing missing) {
        refusal = missing.why();
      } else if (answer instanceof RunAnswer.Refused refused) {
        refusal = refused.why();
      } else {
        return;
      }
    } catch (FlinkRestException lost) {
      String why = String.valueOf(lost.getMessage());
      if (afterRun(cluster, job, alive, why).isEmpty()) {
        throw unknown(cluster, job, why);
      }
      return;
    }
    // what fails late may have got as far as the list of jobs
    Optional<JobOverview> found = afterRun(cluster, job, alive, refusal);
    if (found.isEmpty()) {
      alive.startedNothing();
      throw hasJar(cluster, jar)
          ? failure(
              "%s refuses job %s: %s".formatted(cluster, job.jobId(), refusal),
              FailureType.JOB_FAILED,
              false)
          : failure(
              "%s lost the jar of job %s: %s".formatted(cluster, job.jobId(), refusal),
              FailureType.CLUSTER_NOT_READY,
              true);
    }
    if (found.get().state() == FlinkJobState.FAILED) {
      throw failure(
          "Job %s on %s failed at once: %s".formatted(job.jobId(), cluster, refusal),
          FailureType.JOB_FAILED,
          false);
    }
  }

  private Optional<JobOverview> find(Endpoint cluster, Run job, Lease alive) {
    alive.run();
    return flink.jobsOverview(cluster).job(job.jobId());
  }

  private Optional<JobOverview> afterRun(Endpoint cluster, Run job, Lease alive, String why) {
    try {
      return find(cluster, job, alive);
    } catch (FlinkRestException silent) {
      throw unknown(cluster, job, why);
    }
  }

  /**
   * A program that misses a file of its own fails in the same words as one whose jar is gone. A
   * JobManager that does not answer is believed to have it.
   */
  private boolean hasJar(Endpoint cluster, String jar) {
    try {
      return jars.list(cluster).stream().anyMatch(it -> it.id().equals(jar));
    } catch (FlinkRestException silent) {
      return true;
    }
  }

  private void delete(Endpoint cluster, String jar) {
    try {
      jars.delete(cluster, jar);
    } catch (FlinkRestException silent) {
      LOG.info("The jar {} stays on {} for now: {}", jar, cluster, silent.getMessage());
    }
  }

  private static ApplicationFailure unknown(Endpoint cluster, Run job, String why) {
    return failure(
        "Whether %s has started job %s is not known: %s. It is looked for before it is run again"
            .formatted(cluster, job.jobId(), why),
        FailureType.CLUSTER_NOT_READY,
        true);
  }

  private static ApplicationFailure failure(String message, String type, boolean mayPass) {
    return mayPass
        ? ApplicationFailure.newFailure(message, type)
        : ApplicationFailure.newNonRetryableFailure(message, type);
  }

  private static JarRun jarRun(Run job, ArtifactUri jar) {
    // an unknown version is a new one: what it does not know of the request, it ignores
    FlinkVersion version = Objects.requireNonNullElse(job.flinkVersion(), FlinkVersion.V2_2);
    Map<String, String> configuration = new TreeMap<>(job.configuration().asMap());
    configuration
        .keySet()
        .removeIf(key -> NOT_FOR_FLINK.matcher(key).matches() || RestoreKeys.ALL.contains(key));
    if (jar instanceof ArtifactUri.InImage image) {
      requireClassPath(job, version, image);
      configuration.merge(CLASS_PATHS, "file://" + image.path(), (all, ours) -> all + ";" + ours);
    }
    return new JarRun(
        version,
        job.jobId(),
        new JarRun.Program(job.entryClass(), job.args(), job.parallelism()),
        job.savepointPath() == null
            ? null
            : new JarRun.Restore(
                job.savepointPath(), job.allowNonRestoredState(), RestoreKeys.NO_CLAIM),
        configuration);
  }

  private static void requireClassPath(Run job, FlinkVersion version, ArtifactUri.InImage jar) {
    if (job.entryClass() == null) {
      throw ArtifactException.lasting(
          jar.display()
              + " is in the image of the session cluster, and Sluice cannot read its manifest: name"
              + " the main class in spec.job.entryClass");
    }
    if (!JarRun.takesConfiguration(version)) {
      throw ArtifactException.lasting(
          jar.display()
              + " is in the image of the session cluster, which Flink can run from 1.17 on only");
    }
  }
}
