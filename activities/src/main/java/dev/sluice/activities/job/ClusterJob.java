package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Wait;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.activity.JobActivities.AwaitRunningRequest;
import dev.sluice.workflows.activity.JobActivities.CancelRequest;
import dev.sluice.workflows.activity.JobActivities.RunningJob;
import dev.sluice.workflows.activity.JobActivities.StopRequest;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Function;

/**
 * A job on a cluster that the caller has found: what the activities of every kind do with one. One
 * instance for each attempt of an activity.
 */
public final class ClusterJob {

  private final JobTarget target;
  private final FlinkRest flink;
  private final Clock clock;

  /**
   * @param newer configuration for a savepoint directory that the cluster does not have
   */
  public ClusterJob(
      RunningCluster cluster,
      String jobId,
      FlinkConfiguration newer,
      FlinkRest flink,
      Clock clock) {
    this.target = new JobTarget(cluster, jobId, newer);
    this.flink = flink;
    this.clock = clock;
  }

  /**
   * Takes a savepoint. What fails is begun again, under the next id, as often as a request may; so
   * no failure is one to try again.
   *
   * @param stops whether the job ends with it
   */
  public Wait.Probe<TakenState> savepoint(
      StopRequest request, boolean stops, SavepointLimiter.Slot slot) {
    SavepointOptions options =
        SavepointOptions.of(target.cluster().configuration(), request.last());
    SavepointStop stop =
        new SavepointStop(
            request,
            target,
            new SavepointOptions(options.format(), stops, stops && options.drain()),
            flink,
            slot,
            new TriggerLog(request, target.endpoint(), flink, SavepointStop.TRIGGERS, clock));
    return stop::look;
  }

  public Wait.Probe<TakenState> cancellation(CancelRequest request) {
    return new JobCancellation(request, target, flink, clock)::look;
  }

  /** Checks what it was restored from, once it is up. */
  public Function<JobOverview, ProbeResult<RunningJob>> restoreCheck(AwaitRunningRequest request) {
    return new RestoreCheck(request, target, flink, clock)::check;
  }

  /** What it left, once it has ended: empty while its statistics are not final. */
  public Function<JobOverview, Optional<NewestState>> left() {
    return new EndedJobState(target, flink, clock)::newest;
  }
}
