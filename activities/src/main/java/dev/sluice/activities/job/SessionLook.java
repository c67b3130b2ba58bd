package dev.sluice.activities.job;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.workflows.model.JobObservation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Looks at the jobs of a session cluster, none of which is its own. */
public final class SessionLook {

  private final FlinkRest flink;
  private final Endpoint endpoint;
  private final @Nullable String cluster;

  /**
   * @param cluster what tells the cluster from the next; null when it does not say
   */
  public SessionLook(FlinkRest flink, Endpoint endpoint, @Nullable String cluster) {
    this.flink = flink;
    this.endpoint = endpoint;
    this.cluster = cluster;
  }

  /** Takes one look. Never fails: what cannot be told is {@link JobObservation.Unreachable}. */
  public CompletableFuture<JobProbe.Probe> look() {
    return flink.jobsOverview(endpoint).thenApply(this::answered).exceptionally(this::silent);
  }

  private JobProbe.Probe answered(JobsOverview overview) {
    List<String> alive = overview.alive().stream().map(JobOverview::jobId).sorted().toList();
    return new JobProbe.Probe(
        new JobObservation.Absent(cluster), alive, true, alive.size() + " jobs run");
  }

  private JobProbe.Probe silent(Throwable thrown) {
    return JobProbe.unreachable(
        FlinkRestException.in(thrown)
            .map(FlinkRestException::getMessage)
            .orElseGet(thrown::toString),
        cluster);
  }
}
