package dev.sluice.activities.job;

import dev.sluice.activities.flink.Checkpoints;
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

/**
 * Looks at the jobs of a session cluster, none of which is its own. Where high availability brings
 * them back, they run until the cluster goes, and are asked for savepoints in progress.
 */
public record SessionLook(FlinkRest flink, RunningCluster cluster) {

  /** A JobManager that takes longer does not answer. */
  private static final Duration ANSWERS = Duration.ofSeconds(6);

  /** What is not told until then counts as no savepoint. */
  private static final Duration TELLS_SAVEPOINTS = Duration.ofSeconds(3);

  /** Takes one look. Never fails: what is not known is {@link JobObservation.Unreachable}. */
  public JobProbe.Probe look() {
    try {
      return answered(flink.within(ANSWERS).jobsOverview(cluster.endpoint()));
    } catch (FlinkRestException silent) {
      return JobProbe.unreachable(String.valueOf(silent.getMessage()), cluster.jobId());
    }
  }

  private JobProbe.Probe answered(JobsOverview overview) {
    List<String> alive = overview.alive().stream().map(JobOverview::jobId).sorted().toList();
    boolean comeBack = HighAvailabilityMode.of(cluster.configuration()).isOn();
    long end = System.nanoTime() + TELLS_SAVEPOINTS.toNanos();
    List<String> savepoints =
        comeBack ? alive.stream().filter(job -> takesSavepoint(job, end)).toList() : List.of();
    String jobs = alive.size() + " jobs run";
    return new JobProbe.Probe(
        new JobObservation.Absent(cluster.jobId()),
        alive,
        savepoints.isEmpty(),
        savepoints.isEmpty() ? jobs : jobs + ", a savepoint is in progress",
        savepoints);
  }

  private boolean takesSavepoint(String jobId, long end) {
    FlinkRest quick = flink.within(Duration.ofNanos(end - System.nanoTime()));
    Optional<Checkpoints> told =
        FlinkRest.orNull(() -> quick.checkpoints(cluster.endpoint(), jobId));
    return told != null && told.flatMap(Checkpoints::savepointSince).isPresent();
  }
}
