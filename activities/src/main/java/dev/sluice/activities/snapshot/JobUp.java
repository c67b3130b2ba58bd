package dev.sluice.activities.snapshot;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Answers;
import dev.sluice.activities.flink.CheckpointSettings;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.job.SettleTimer;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.snapshot.CheckpointSpec;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.snapshot.FoundJob;
import dev.sluice.workflows.snapshot.SnapshotActivities.AwaitJobRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the job to take a snapshot of. That there is none counts only after it was so for a
 * while, and only by what Kubernetes and Flink say: no answer says nothing.
 */
final class JobUp {

  /** Longer than the time between the end of a job and the operation that follows it. */
  static final Duration NONE_FOR = Duration.ofSeconds(30);

  /** Flink's own default of {@code execution.checkpointing.timeout}. */
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  private final AwaitJobRequest request;
  private final @Nullable CheckpointSpec checkpoint;
  private final String named;
  private final @Nullable String ownerUid;
  private final Supplier<Optional<JobOwner>> owners;
  private final Function<Endpoint, JobsOverview> jobs;
  private final FlinkRest flink;
  private final Clock clock;
  private final SettleTimer none;
  private String progress = "nothing yet";

  /** What is waited for that is not the job's own fault; null when it is, or there is none. */
  private @Nullable String awaited;

  /** Until when something else than the job kept it from being up, and what. */
  private @Nullable Instant heldUntil;

  private String heldBy = "";

  /**
   * @param checkpoint the checkpoint that is wanted; null for a savepoint
   * @param named what runs the job, as messages name it
   * @param ownerUid of the resource that it was made for; null for any of that name
   * @param owners reads that
   * @param jobs asks for the jobs of a cluster
   */
  JobUp(
      AwaitJobRequest request,
      @Nullable CheckpointSpec checkpoint,
      String named,
      @Nullable String ownerUid,
      Supplier<Optional<JobOwner>> owners,
      Function<Endpoint, JobsOverview> jobs,
      FlinkRest flink,
      Clock clock) {
    this.request = request;
    this.checkpoint = checkpoint;
    this.named = named;
    this.ownerUid = ownerUid;
    this.owners = owners;
    this.jobs = jobs;
    this.flink = flink;
    this.clock = clock;
    this.none = new SettleTimer(clock, NONE_FOR);
  }

  ProbeResult<FoundJob> look() {
    boolean late = clock.millis() >= request.deadlineMs();
    try {
      ProbeResult<FoundJob> seen = lookAt(owners.get());
      if (awaited != null) {
        heldUntil = clock.instant();
        heldBy = progress;
      }
      return late && !(seen instanceof ProbeResult.Done) ? tooLate() : seen;
    } catch (RuntimeException unanswered) {
      heldUntil = clock.instant();
      heldBy = "the JobManager did not answer";
      // Kubernetes being away is no answer, and a silent JobManager is not a job that fails
      if (!late || !(unanswered instanceof FlinkRestException)) {
        throw unanswered;
      }
      return done(
          new FoundJob.Held(
              FailureType.JOB_MANAGER_SILENT,
              "The JobManager of %s does not answer. Waiting for it. Last seen: %s"
                  .formatted(named, progress)));
    }
  }

  private ProbeResult<FoundJob> tooLate() {
    if (awaited != null) {
      return done(
          new FoundJob.Held(Reasons.BLOCKED, "%s. Waiting for %s".formatted(progress, awaited)));
    }
    // the ten minutes are the job's own: they begin again after a silence or an operation
    return done(
        heldUntil == null
            ? new FoundJob.NotUp("The job of %s was not up in time: %s".formatted(named, progress))
            : new FoundJob.Held(
                Reasons.BLOCKED,
                "Waiting for the job of %s: %s; %d s ago, %s"
                    .formatted(
                        named,
                        progress,
                        Duration.between(heldUntil, clock.instant()).toSeconds(),
                        heldBy)));
  }

  private ProbeResult<FoundJob> lookAt(Optional<JobOwner> found) {
    if (found.isEmpty()) {
      return none(named + " does not exist");
    }
    JobOwner owner = found.get();
    if (ownerUid != null && !ownerUid.equals(owner.resource().metadata().getUid())) {
      return none(
          named + " was deleted and created again; this snapshot was requested of the earlier one");
    }
    // before its operation: no job comes after that
    if (owner.isDeleting()) {
      return none(named + " is being deleted");
    }
    Optional<String> operation = owner.operation();
    if (operation.isPresent()) {
      return held(operation.get() + " is at work on " + named, "its end");
    }
    Optional<Observation.Target> deployed = owner.deployed();
    if (deployed.isEmpty()) {
      // its spec may be invalid, which says nothing of the snapshot
      return held(named + " was never deployed", "its first deployment");
    }
    if (deployed.get().session()) {
      return none(named + " is a session cluster, which has no job of its own");
    }
    if (deployed.get().suspended()) {
      return none(named + " is suspended");
    }
    FlinkVersion version = owner.version();
    if (checkpoint != null && version != null && !checkpoint.typeOrFull().isTakenBy(version)) {
      return done(
          new FoundJob.Unfit(
              (version.takesCheckpoints()
                      ? "Flink cannot be asked for an incremental checkpoint from 1.19 on"
                          + " (FLINK-33723), and %s runs %s; take one of type CONFIGURED"
                      : "Flink takes checkpoints by request since 1.17, and %s runs %s; take a"
                          + " savepoint")
                  .formatted(named, version.dotted())));
    }
    Optional<String> absence = owner.site().absence();
    if (absence.isPresent()) {
      // its job comes back with it
      return held(absence.get(), "its creation");
    }
    Optional<String> begins = owner.site().awaitsSavepoints();
    if (begins.isPresent()) {
      return held(begins.get(), "its end");
    }
    String madeFor = owner.cluster().jobId();
    String pinned = request.pinned();
    if (pinned != null && madeFor != null && !pinned.equals(madeFor)) {
      return done(
          new FoundJob.Replaced(
              "Job %s of %s was replaced by job %s".formatted(pinned, named, madeFor),
              owner.isOfRecovery()));
    }
    return lookAtJob(owner, pinned == null ? madeFor : pinned);
  }

  private ProbeResult<FoundJob> lookAtJob(JobOwner owner, @Nullable String jobId) {
    return owner
        .site()
        .job(jobs.apply(owner.cluster().endpoint()), jobId)
        .map(job -> lookAtJob(owner, job))
        .orElseGet(() -> unknown(owner));
  }

  private ProbeResult<FoundJob> lookAtJob(JobOwner owner, JobOverview job) {
    if (job.state().isGloballyTerminal()) {
      return none("job %s of %s is %s".formatted(job.jobId(), named, job.word()));
    }
    none.reset();
    if (!job.isUp()) {
      return notUp(owner, "the job is " + job.display());
    }
    Duration timeout =
        Answers.await(flink.checkpointSettings(owner.cluster().endpoint(), job.jobId()))
            .map(CheckpointSettings::timeout)
            .orElse(TIMEOUT);
    return done(new FoundJob.Up(job.jobId(), timeout.toMillis()));
  }

  private ProbeResult<FoundJob> unknown(JobOwner owner) {
    return owner
        .site()
        .forgotten()
        .map(state -> none("the job of %s is %s".formatted(named, state)))
        .orElseGet(() -> notUp(owner, "the JobManager does not know the job (yet)"));
  }

  private ProbeResult<FoundJob> notUp(JobOwner owner, String words) {
    return owner
        .site()
        .disturbance()
        .map(why -> held("%s, and %s".formatted(why, words), "its end"))
        .orElseGet(() -> notYet(words));
  }

  private ProbeResult<FoundJob> none(String why) {
    awaited = null;
    progress = why;
    return none.reached() ? done(new FoundJob.None(why)) : ProbeResult.notYet(why);
  }

  private ProbeResult<FoundJob> held(String words, String awaits) {
    ProbeResult<FoundJob> waits = notYet(words);
    awaited = awaits;
    return waits;
  }

  private ProbeResult<FoundJob> notYet(String words) {
    none.reset();
    awaited = null;
    progress = words;
    return ProbeResult.notYet(words);
  }

  private static ProbeResult<FoundJob> done(FoundJob found) {
    return ProbeResult.done(found);
  }
}
