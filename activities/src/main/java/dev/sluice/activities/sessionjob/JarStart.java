package dev.sluice.activities.sessionjob;

import dev.sluice.activities.artifact.ArtifactException;
import dev.sluice.activities.artifact.ArtifactUri;
import dev.sluice.activities.artifact.FetchedArtifact;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkJars;
import dev.sluice.activities.flink.FlinkJars.RunAnswer;
import dev.sluice.activities.flink.FlinkJars.UploadedJar;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JarRun;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.RestoreKeys;
import dev.sluice.workflows.activity.FailureType;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
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
 * is started, not while it runs. One that a killed worker has left is deleted when the job is
 * ended.
 */
public final class JarStart implements JarSubmission {

  private static final Logger LOG = LoggerFactory.getLogger(JarStart.class);
  private static final String CLASS_PATHS = "pipeline.classpaths";

  /** Keys of the operator, and those by which Flink would take what the request does not say. */
  private static final Pattern NOT_FOR_FLINK =
      Pattern.compile("kubernetes\\.operator\\..*|\\$internal\\..*|execution\\.target");

  private final FlinkRest flink;
  private final FlinkJars jars;
  private final Artifacts artifacts;

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

  public JarStart(FlinkRest flink, FlinkJars jars, Artifacts artifacts) {
    this.flink = flink;
    this.jars = jars;
    this.artifacts = artifacts;
  }

  @Override
  public void run(Endpoint cluster, Run job, Lease alive) {
    try {
      if (find(cluster, job, alive).isPresent()) {
        return;
      }
      ArtifactUri jar = JarCheck.parsed(job.spec().jarURI());
      JarRun run = jarRun(job, jar);
      // Flink runs what was uploaded only: an empty jar for one in the image
      ArtifactUri from = jar instanceof ArtifactUri.InImage ? new ArtifactUri.ClassPath() : jar;
      try (FetchedArtifact artifact = artifacts.fetch(from, job.target().submitted().asMap())) {
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
    alive.check();
    String jar = jars.upload(cluster, artifact.file(), nameFor(job.jobId()));
    try {
      // an earlier attempt may have come through while this one fetched and uploaded
      if (find(cluster, job, alive).isEmpty()) {
        submit(cluster, job, run, jar, alive);
      }
    } finally {
      delete(cluster, jar);
    }
  }

  private static String nameFor(String jobId) {
    return "sluice-%s.jar".formatted(jobId);
  }

  /**
   * Deletes what was uploaded for the job, by whomever: nothing can run it then. Returns whether
   * there was any.
   *
   * @throws FlinkRestException when some may be left
   */
  static boolean deleteJars(FlinkJars jars, Endpoint cluster, String jobId) {
    List<UploadedJar> own =
        jars.list(cluster).stream().filter(it -> it.name().equals(nameFor(jobId))).toList();
    own.forEach(it -> jars.delete(cluster, it.id()));
    return !own.isEmpty();
  }

  /** Throws no FlinkRestException: that is for what failed before a run. */
  private void submit(Endpoint cluster, Run job, JarRun run, String jar, Lease alive) {
    RunAnswer answer;
    try {
      alive.sending();
      alive.check();
      answer = jars.run(cluster, jar, run);
    } catch (FlinkRestException lost) {
      String why = String.valueOf(lost.getMessage());
      if (afterRun(cluster, job, alive, why).isEmpty()) {
        throw unknown(cluster, job, why);
      }
      return;
    }
    String refusal = answer.refusal();
    if (refusal == null) {
      return;
    }
    // what fails late may have got as far as the list of jobs
    Optional<JobOverview> found = afterRun(cluster, job, alive, refusal);
    if (found.isEmpty()) {
      alive.startedNothing();
    }
    if (found.isEmpty() || found.get().state() == FlinkJobState.FAILED) {
      boolean jarLost = found.isEmpty() && answer instanceof RunAnswer.JarMissing;
      throw failure(
          "%s does not run job %s: %s".formatted(cluster, job.jobId(), refusal),
          jarLost ? FailureType.CLUSTER_NOT_READY : FailureType.JOB_FAILED,
          jarLost);
    }
  }

  private Optional<JobOverview> find(Endpoint cluster, Run job, Lease alive) {
    alive.check();
    return flink.jobsOverview(cluster).job(job.jobId());
  }

  private Optional<JobOverview> afterRun(Endpoint cluster, Run job, Lease alive, String why) {
    try {
      return find(cluster, job, alive);
    } catch (FlinkRestException silent) {
      throw unknown(cluster, job, why);
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
    FlinkVersion version =
        Objects.requireNonNullElse(job.target().target().flinkVersion(), FlinkVersion.V2_2);
    Map<String, String> configuration = new TreeMap<>(job.target().submitted().asMap());
    configuration
        .keySet()
        .removeIf(key -> NOT_FOR_FLINK.matcher(key).matches() || RestoreKeys.ALL.contains(key));
    if (jar instanceof ArtifactUri.InImage image) {
      requireClassPath(job, version, image);
      configuration.merge(CLASS_PATHS, "file://" + image.path(), (all, ours) -> all + ";" + ours);
    }
    JobSpec spec = job.spec();
    return new JarRun(
        version,
        job.jobId(),
        spec.entryClass(),
        spec.args(),
        spec.parallelism(),
        job.savepointPath(),
        Boolean.TRUE.equals(spec.allowNonRestoredState()),
        RestoreKeys.NO_CLAIM,
        configuration);
  }

  private static void requireClassPath(Run job, FlinkVersion version, ArtifactUri.InImage jar) {
    if (job.spec().entryClass() == null) {
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
