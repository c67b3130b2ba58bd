package dev.sluice.worker;

import dev.sluice.activities.artifact.ArtifactFetcher;
import dev.sluice.activities.flink.FlinkJars;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.OkHttpFlinkJars;
import dev.sluice.activities.flink.RestTls;
import dev.sluice.activities.sessionjob.JarStart;
import dev.sluice.activities.sessionjob.JarStart.Artifacts;
import dev.sluice.activities.sessionjob.JobStarts;
import dev.sluice.bootstrap.Metrics;
import dev.sluice.bootstrap.ProcessLifecycle;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What starts the jobs of FlinkSessionJobs, with the connections and files that it needs.
 *
 * @param starts the starts in progress
 * @param artifacts fetches the jars
 * @param jars runs jars, also those in images
 */
record SessionJobStarts(JobStarts starts, Artifacts artifacts, FlinkJars jars) {

  /** As in Apache's operator ({@code kubernetes.operator.job.submission.timeout}). */
  private static final Duration LONGEST_CALL = Duration.ofMinutes(10);

  /**
   * Opens it until the process ends.
   *
   * @param settings from where, and how many at a time
   * @param flink tells which jobs a cluster has
   * @param tls for clusters that take TLS alone
   * @throws java.io.UncheckedIOException when it cannot keep temporary files
   */
  static SessionJobStarts open(
      WorkerSettings.SessionJobs settings,
      FlinkRest flink,
      Supplier<Optional<RestTls>> tls,
      Metrics metrics,
      ProcessLifecycle lifecycle) {
    OkHttpFlinkJars jars =
        new OkHttpFlinkJars(OkHttpFlinkJars.options(LONGEST_CALL), tls, metrics.registry());
    lifecycle.onEnd("jars of Flink", jars);
    ArtifactFetcher fetcher = new ArtifactFetcher(settings.artifacts());
    lifecycle.onEnd("artifacts", fetcher);
    metrics.registry().gauge("sluice.artifacts.open", fetcher, ArtifactFetcher::open);
    JobStarts starts =
        new JobStarts(new JarStart(flink, jars, fetcher::fetch), settings.startsPerCluster());
    return new SessionJobStarts(starts, fetcher::fetch, jars);
  }
}
