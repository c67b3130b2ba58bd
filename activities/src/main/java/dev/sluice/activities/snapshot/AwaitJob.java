package dev.sluice.activities.snapshot;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.CheckpointSettings;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.job.SettleTimer;
import dev.sluice.activities.snapshot.SnapshotJob.Presence;
import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.snapshot.SnapshotActivities.FoundJob;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Step AwaitJob: waits until every task of the job is up and no operation is at work on it.
 *
 * @param named what runs the job, as messages name it
 * @param checkpoint of that type; null for a savepoint
 * @param jobs reads what runs the job; blocks
 * @param none since when there is none
 */
record AwaitJob(
    String named,
    @Nullable CheckpointType checkpoint,
    Supplier<Optional<SnapshotJob>> jobs,
    FlinkRest flink,
    SettleTimer none) {

  /** Longer than the time between the end of a job and the operation that follows it. */
  static final Duration NONE_FOR = Duration.ofSeconds(30);

  /** Flink's default of {@code execution.checkpointing.timeout}. */
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  AwaitJob(
      String named,
      @Nullable CheckpointType checkpoint,
      Supplier<Optional<SnapshotJob>> jobs,
      FlinkRest flink,
      Clock clock) {
    this(named, checkpoint, jobs, flink, new SettleTimer(clock, NONE_FOR));
  }

  /**
   * Blocks for two calls to Kubernetes and up to two to Flink. Fails when one of them does not
   * answer, which is no reason to give the snapshot up.
   */
  ProbeResult<FoundJob> look() {
    SnapshotJob owner = jobs.get().orElse(null);
    Presence job =
        owner == null
            ? new Presence.None(named + " does not exist, or was created again since", false)
            : owner.look(flink);
    if (job instanceof Presence.None && none.reached()) {
      return ProbeResult.done(new FoundJob.None(job.why()));
    }
    if (!(job instanceof Presence.None)) {
      none.reset();
    }
    if (owner == null || !(job instanceof Presence.Up up)) {
      return ProbeResult.notYet(job.why());
    }
    Target deployed = owner.resource().observed().frozen();
    FlinkVersion version = deployed == null ? null : deployed.flinkVersion();
    if (checkpoint != null && version != null && !checkpoint.isTakenBy(version)) {
      return ProbeResult.done(
          new FoundJob.None(
              "%s runs Flink %s, which takes no checkpoint of type %s by request"
                  .formatted(named, version.dotted(), checkpoint)));
    }
    String jobId = up.job().jobId();
    Duration timeout =
        flink
            .checkpointSettings(owner.cluster().endpoint(), jobId)
            .map(CheckpointSettings::timeout)
            .orElse(TIMEOUT);
    return ProbeResult.done(new FoundJob.Up(jobId, timeout.toMillis()));
  }
}
