package dev.sluice.activities.snapshot;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.CheckpointSettings;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.job.SettleTimer;
import dev.sluice.activities.snapshot.JobOwner.Presence;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.snapshot.CheckpointSpec;
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
 * @param checkpoint the checkpoint that is wanted; null for a savepoint
 * @param owners reads what runs the job; blocks
 * @param none since when there is none
 */
record AwaitJob(
    String named,
    @Nullable CheckpointSpec checkpoint,
    Supplier<Optional<JobOwner>> owners,
    FlinkRest flink,
    SettleTimer none) {

  /** Longer than the time between the end of a job and the operation that follows it. */
  static final Duration NONE_FOR = Duration.ofSeconds(30);

  /** Flink's default of {@code execution.checkpointing.timeout}. */
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  AwaitJob(
      String named,
      @Nullable CheckpointSpec checkpoint,
      Supplier<Optional<JobOwner>> owners,
      FlinkRest flink,
      Clock clock) {
    this(named, checkpoint, owners, flink, new SettleTimer(clock, NONE_FOR));
  }

  /**
   * Blocks for two calls to Kubernetes and up to two to Flink. Fails when one of them does not
   * answer, which is no reason to give the snapshot up.
   */
  ProbeResult<FoundJob> look() {
    JobOwner owner = owners.get().orElse(null);
    if (owner == null) {
      return gone(named + " does not exist, or was created again since");
    }
    Presence job = owner.look(flink);
    if (job instanceof Presence.Up up) {
      FlinkVersion version = owner.version();
      if (checkpoint != null && version != null && !checkpoint.typeOrFull().isTakenBy(version)) {
        return ProbeResult.done(new FoundJob.None(unfit(version)));
      }
      String jobId = up.job().jobId();
      Duration timeout =
          flink
              .checkpointSettings(owner.cluster().endpoint(), jobId)
              .map(CheckpointSettings::timeout)
              .orElse(TIMEOUT);
      return ProbeResult.done(new FoundJob.Up(jobId, timeout.toMillis()));
    }
    if (job instanceof Presence.None) {
      return gone(job.why());
    }
    none.reset();
    return ProbeResult.notYet(job.why());
  }

  private ProbeResult<FoundJob> gone(String why) {
    return none.reached() ? ProbeResult.done(new FoundJob.None(why)) : ProbeResult.notYet(why);
  }

  private String unfit(FlinkVersion version) {
    return (version.takesCheckpoints()
            ? "Flink cannot be asked for an incremental checkpoint from 1.19 on (FLINK-33723), and"
                + " %s runs %s; take one of type CONFIGURED"
            : "Flink takes checkpoints by request since 1.17, and %s runs %s; take a savepoint")
        .formatted(named, version.dotted());
  }
}
