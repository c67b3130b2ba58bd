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
import org.jspecify.annotations.Nullable;

/** Looks at the jobs of a session cluster, none of which is its own. */
public final class SessionLook {

  /** A JobManager that takes longer does not answer. */
  private static final Duration ANSWERS = Duration.ofSeconds(6);

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
  public JobProbe.Probe look() {
    try {
      return answered(flink.within(ANSWERS).jobsOverview(endpoint));
    } catch (FlinkRestException silent) {
      return JobProbe.unreachable(String.valueOf(silent.getMessage()), cluster);
    }
  }

  private JobProbe.Probe answered(JobsOverview overview) {
    List<String> alive = overview.alive().stream().map(JobOverview::jobId).sorted().toList();
    long end = System.nanoTime() + TELLS_SAVEPOINTS.toNanos();
    List<String> savepoints =
        jobsComeBack ? alive.stream().filter(job -> takesSavepoint(job, end)).toList() : List.of();
    return seen(alive, savepoints);
  }

  private boolean takesSavepoint(String jobId, long end) {
    Duration left = Duration.ofNanos(end - System.nanoTime());
    try {
      return flink
          .within(left)
          .checkpoints(endpoint, jobId)
          .flatMap(Checkpoints::savepointSince)
          .isPresent();
    } catch (FlinkRestException untold) {
      return false;
    }
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
}
