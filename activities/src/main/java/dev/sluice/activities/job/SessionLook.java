package dev.sluice.activities.job;

import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.workflows.model.JobObservation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Looks at the jobs of a session cluster, none of which is its own. */
public final class SessionLook {

  /** What is not told until then counts as no savepoint. */
  private static final Duration TELLS_SAVEPOINTS = Duration.ofSeconds(3);

  private final FlinkRest flink;
  private final Endpoint endpoint;
  private final @Nullable String cluster;
  private final boolean jobsComeBack;

  private SessionLook(
      FlinkRest flink, Endpoint endpoint, @Nullable String cluster, boolean jobsComeBack) {
    this.flink = flink;
    this.endpoint = endpoint;
    this.cluster = cluster;
    this.jobsComeBack = jobsComeBack;
  }

  /**
   * A look at the jobs of that cluster. Where high availability brings them back, they run until
   * the cluster goes, and are asked for savepoints in progress.
   */
  public static SessionLook at(FlinkRest flink, RunningCluster cluster) {
    return new SessionLook(
        flink,
        cluster.endpoint(),
        cluster.jobId(),
        HighAvailabilityMode.of(cluster.configuration()).isOn());
  }

  /** Takes one look. Never fails: what cannot be told is {@link JobObservation.Unreachable}. */
  public CompletableFuture<JobProbe.Probe> look() {
    return flink.jobsOverview(endpoint).thenCompose(this::answered).exceptionally(this::silent);
  }

  private CompletableFuture<JobProbe.Probe> answered(JobsOverview overview) {
    List<String> alive = overview.alive().stream().map(JobOverview::jobId).sorted().toList();
    List<CompletableFuture<Optional<String>>> asked =
        jobsComeBack ? alive.stream().map(this::takesSavepoint).toList() : List.of();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .thenApply(
            all -> seen(alive, asked.stream().flatMap(told -> told.join().stream()).toList()));
  }

  /** The id of that job, if a savepoint of it is in progress. */
  private CompletableFuture<Optional<String>> takesSavepoint(String jobId) {
    return flink
        .checkpoints(endpoint, jobId)
        .thenApply(told -> told.flatMap(Checkpoints::savepointSince).map(since -> jobId))
        .exceptionally(untold -> Optional.empty())
        .completeOnTimeout(Optional.empty(), TELLS_SAVEPOINTS.toMillis(), TimeUnit.MILLISECONDS);
  }

  private JobProbe.Probe seen(List<String> alive, List<String> savepoints) {
    String jobs = alive.size() + " jobs run";
    return new JobProbe.Probe(
        new JobObservation.Absent(cluster),
        alive,
        savepoints.isEmpty(),
        savepoints.isEmpty() ? jobs : jobs + ", a savepoint is in progress",
        savepoints);
  }

  private JobProbe.Probe silent(Throwable thrown) {
    return JobProbe.unreachable(
        FlinkRestException.in(thrown)
            .map(FlinkRestException::getMessage)
            .orElseGet(thrown::toString),
        cluster);
  }
}
