package dev.sluice.activities.snapshot;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.CheckpointSettings;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.job.SettleTimer;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.snapshot.CheckpointSpec;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.snapshot.FoundJob;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Step AwaitJob: waits until every task of the job is up and no operation is at work on it. */
final class AwaitJob {

  /** Longer than the time between the end of a job and the operation that follows it. */
  static final Duration NONE_FOR = Duration.ofSeconds(30);

  /** Flink's default of {@code execution.checkpointing.timeout}. */
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  private final String named;
  private final @Nullable CheckpointSpec checkpoint;
  private final Supplier<Optional<JobOwner>> owners;
  private final FlinkRest flink;
  private final SettleTimer none;

  /**
   * @param named what runs the job, as messages name it
   * @param checkpoint the checkpoint that is wanted; null for a savepoint
   * @param owners reads what runs the job; blocks
   */
  AwaitJob(
      String named,
      @Nullable CheckpointSpec checkpoint,
      Supplier<Optional<JobOwner>> owners,
      FlinkRest flink,
      Clock clock) {
    this.named = named;
    this.checkpoint = checkpoint;
    this.owners = owners;
    this.flink = flink;
    this.none = new SettleTimer(clock, NONE_FOR);
  }

  /**
   * Blocks for two calls to Kubernetes and up to two to Flink. Fails when one of them does not
   * answer, which is no reason to give the snapshot up.
   */
  ProbeResult<FoundJob> look() {
    Optional<JobOwner> found = owners.get();
    if (found.isEmpty()) {
      return none(named + " does not exist, or was created again since");
    }
    JobOwner owner = found.get();
    if (owner.isDeleting()) {
      return none(named + " is being deleted");
    }
    Optional<String> operation = owner.operation();
    if (operation.isPresent()) {
      return notYet(operation.get() + " is at work on " + named);
    }
    if (owner.deployed().isEmpty()) {
      // its spec may be invalid, which is no fault of the snapshot
      return notYet(named + " was never deployed");
    }
    Observation.Target deployed = owner.deployed().get();
    if (deployed.session()) {
      return none(named + " is a session cluster, which has no job of its own");
    }
    if (deployed.suspended()) {
      return none(named + " is suspended");
    }
    FlinkVersion version = owner.version();
    if (checkpoint != null && version != null && !checkpoint.typeOrFull().isTakenBy(version)) {
      return ProbeResult.done(new FoundJob.None(unfit(version)));
    }
    return owner
        .site()
        .absence()
        .or(() -> owner.site().awaitsSavepoints())
        .map(this::notYet)
        .orElseGet(() -> job(owner));
  }

  private String unfit(FlinkVersion version) {
    return (version.takesCheckpoints()
            ? "Flink cannot be asked for an incremental checkpoint from 1.19 on (FLINK-33723), and"
                + " %s runs %s; take one of type CONFIGURED"
            : "Flink takes checkpoints by request since 1.17, and %s runs %s; take a savepoint")
        .formatted(named, version.dotted());
  }

  private ProbeResult<FoundJob> job(JobOwner owner) {
    Endpoint endpoint = owner.cluster().endpoint();
    Optional<JobOverview> found =
        owner.site().job(flink.jobsOverview(endpoint), owner.cluster().jobId());
    if (found.isEmpty()) {
      return owner
          .site()
          .forgotten()
          .map(state -> none("the job of %s is %s".formatted(named, state)))
          .orElseGet(() -> notYet("the JobManager of " + named + " does not know the job (yet)"));
    }
    JobOverview job = found.get();
    if (job.state().isGloballyTerminal()) {
      return none("job %s of %s is %s".formatted(job.jobId(), named, job.word()));
    }
    if (!job.isUp()) {
      return notYet("the job of %s is %s".formatted(named, job.display()));
    }
    Duration timeout =
        flink
            .checkpointSettings(endpoint, job.jobId())
            .map(CheckpointSettings::timeout)
            .orElse(TIMEOUT);
    return ProbeResult.done(new FoundJob.Up(job.jobId(), timeout.toMillis()));
  }

  private ProbeResult<FoundJob> none(String why) {
    return none.reached() ? ProbeResult.done(new FoundJob.None(why)) : ProbeResult.notYet(why);
  }

  private ProbeResult<FoundJob> notYet(String words) {
    none.reset();
    return ProbeResult.notYet(words);
  }
}
