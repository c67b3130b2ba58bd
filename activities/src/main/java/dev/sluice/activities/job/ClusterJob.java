package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.WaitProbe;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.job.CheckpointDirectory.Checkpoint;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.activity.JobActivities.AwaitRunningRequest;
import dev.sluice.workflows.activity.JobActivities.CancelRequest;
import dev.sluice.workflows.activity.JobActivities.RunningJob;
import dev.sluice.workflows.activity.JobActivities.StopRequest;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.StateRef;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A job on a cluster that the caller has found: what the activities of every kind do with one. One
 * instance for each attempt of an activity.
 */
public final class ClusterJob {

  private final JobTarget target;
  private final FlinkRest flink;
  private final Savepoints savepoints;
  private final Clock clock;

  /**
   * @param newer configuration for a savepoint directory that the cluster does not have
   */
  public ClusterJob(
      RunningCluster cluster,
      String jobId,
      FlinkConfiguration newer,
      FlinkRest flink,
      Savepoints savepoints,
      Clock clock) {
    this.target = new JobTarget(cluster, jobId, newer);
    this.flink = flink;
    this.savepoints = savepoints;
    this.clock = clock;
  }

  /**
   * Takes a savepoint. What fails is begun again, under the next id, as often as a request may; so
   * no failure is one to try again.
   *
   * @param stops whether the job ends with it
   */
  public WaitProbe<TakenState> savepoint(StopRequest request, boolean stops, SlotQueue slot) {
    SavepointOptions options =
        SavepointOptions.of(target.cluster().configuration(), request.last());
    SavepointStop stop =
        new SavepointStop(
            request,
            target,
            new SavepointOptions(options.format(), stops, stops && options.drain()),
            flink,
            new SavepointSearch(
                target, request.sinceMs(), savepoints.directory(), savepoints.search()),
            slot,
            new TriggerLog(request, target.endpoint(), flink, SavepointStop.TRIGGERS, clock));
    return stop::look;
  }

  /** Cancels it. */
  public WaitProbe<TakenState> cancellation(CancelRequest request) {
    return new JobCancellation(request, target, flink, clock)::look;
  }

  /** Checks what it was restored from, once it is up. */
  public Function<JobOverview, ProbeResult<RunningJob>> restoreCheck(AwaitRunningRequest request) {
    return new RestoreCheck(request, target, flink, clock)::check;
  }

  /** What it left, once it has ended: empty while its statistics are not final. */
  public Function<JobOverview, Optional<NewestState>> left() {
    return new EndedJob(target, flink, clock)::newest;
  }

  /**
   * The savepoints among files that may be of it and were complete since then; empty where they
   * cannot be seen from here. The job must have ended.
   *
   * @param sinceMs ms since the epoch
   */
  public Optional<List<String>> savepointsSince(long sinceMs) {
    return target
        .savepointDirectory()
        .flatMap(
            directory -> savepoints.directory().candidates(directory, target.jobId(), sinceMs));
  }

  /** Where its savepoints go, in words. */
  public String savepointDirectory() {
    return target.savepointDirectory().orElse("a directory that its spec does not name");
  }

  /** Its newest checkpoint among files. The job must have ended. */
  public StoredState stored() {
    CheckpointFiles files =
        new CheckpointFiles(target, new LocalCheckpointDirectory(), savepoints.directory());
    return stored(files.newest());
  }

  private static StoredState stored(CheckpointFiles.Found found) {
    if (found instanceof CheckpointFiles.Newest newest) {
      Checkpoint checkpoint = newest.checkpoint();
      return new StoredState.Newest(
          new StateRef.Checkpoint(checkpoint.path()), checkpoint.id(), checkpoint.writtenMs());
    }
    CheckpointFiles.NotFound nothing = (CheckpointFiles.NotFound) found;
    return switch (nothing.cause()) {
      case UNREADABLE -> new StoredState.Unreadable(nothing.why());
      case NOTHING -> new StoredState.Nothing(nothing.why());
      case DOUBT -> new StoredState.Doubtful(nothing.why());
    };
  }
}
